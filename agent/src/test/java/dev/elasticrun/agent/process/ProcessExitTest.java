/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
final class ProcessExitTest {

    /** As the JDK's, where no thread can be made when the process ends. */
    private static final class WithoutThread extends Process {
        private final boolean throwsAtOnce;
        volatile boolean alive = true;

        WithoutThread(boolean throwsAtOnce) {
            this.throwsAtOnce = throwsAtOnce;
        }

        @Override
        public CompletableFuture<Process> onExit() {
            if (throwsAtOnce) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return CompletableFuture.failedFuture(new OutOfMemoryError("unable to create native thread"));
        }

        @Override
        public boolean isAlive() {
            return alive;
        }

        @Override
        public int exitValue() {
            return 7;
        }

        @Override
        public int waitFor() {
            throw new UnsupportedOperationException();
        }

        @Override
        public OutputStream getOutputStream() {
            throw new UnsupportedOperationException();
        }

        @Override
        public InputStream getInputStream() {
            throw new UnsupportedOperationException();
        }

        @Override
        public InputStream getErrorStream() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void destroy() {
            throw new UnsupportedOperationException();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noThreadForTheEnd_isNoticedAllTheSame(boolean throwsAtOnce) throws Exception {
        WithoutThread process = new WithoutThread(throwsAtOnce);

        CompletableFuture<Integer> exit = ProcessExit.of(process);
        assertThat(exit).isNotDone();

        process.alive = false;
        assertThat(exit.get(10, TimeUnit.SECONDS)).isEqualTo(7);
    }

    @Test
    void process_endsWithItsExitCode() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "exit 3").start();

        assertThat(ProcessExit.of(process).get(10, TimeUnit.SECONDS)).isEqualTo(3);
    }
}
