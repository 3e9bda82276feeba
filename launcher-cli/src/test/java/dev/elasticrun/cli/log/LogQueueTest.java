/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class LogQueueTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    /** Takes as many writes as it has permits. */
    private static final class Console extends OutputStream {
        final Semaphore permits = new Semaphore(0);
        final Semaphore arrived = new Semaphore(0);
        final ByteArrayOutputStream shown = new ByteArrayOutputStream();

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            arrived.release();
            permits.acquireUninterruptibly();
            shown.write(bytes, offset, length);
        }

        PrintStream stream() {
            return new PrintStream(this, false, StandardCharsets.UTF_8);
        }
    }

    private final Console console = new Console();
    private final PrintStream stream = console.stream();
    private final LogQueue queue = LogQueue.start(10, dropped -> "dropped " + dropped + "\n");

    @Test
    void consoleThatTakesNothing_holdsUpNobody_andTheCountOfWhatWasDroppedComesWhenItFlows() {
        queue.offer(stream, "one\n");
        console.arrived.acquireUninterruptibly();
        queue.offer(stream, "two\n");
        queue.offer(stream, "three\n");
        queue.offer(stream, "four\n");

        assertThat(queue.flush(Duration.ofMillis(20))).isFalse();

        console.permits.release(100);
        // Nobody waits again until a piece is written, as it is when the next one arrives.
        console.arrived.acquireUninterruptibly();
        assertThat(queue.flush(LONG)).isTrue();
        queue.insist(stream, "end\n");
        assertThat(queue.flush(LONG)).isTrue();
        assertThat(console.shown.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\ndropped 2\nend\n");
    }

    @Test
    void textThatIsInsistedOn_isNotDropped() {
        queue.insist(stream, "more than ten bytes\n");
        queue.insist(stream, "and more\n");
        console.permits.release(100);

        assertThat(queue.flush(LONG)).isTrue();
        assertThat(console.shown.toString(StandardCharsets.UTF_8)).isEqualTo("more than ten bytes\nand more\n");
    }
}
