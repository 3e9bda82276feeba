/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rotations by hand, between two reads. */
final class RotatedLogTest {
    @TempDir
    private Path directory;

    private Path log;
    private RotatedLog reader;

    @BeforeEach
    void open() {
        log = directory.resolve("stdout.log");
        reader = new RotatedLog(log);
    }

    @Test
    void read_noLogYet_isNothing() throws IOException {
        assertThat(all()).isEmpty();
        write("a");
        assertThat(all()).isEqualTo("a");
    }

    @Test
    void read_partsBeforeTheFirstLook_comeOldestFirst() throws IOException {
        write("one ");
        rotate(4);
        write("two ");
        rotate(4);
        write("three");

        assertThat(all()).isEqualTo("one two three");
    }

    @Test
    void read_rotatedInTheMidstOfWhatWasRead_hasNoGapAndNothingTwice() throws IOException {
        write("abcdef");
        assertThat(text(4)).isEqualTo("abcd");
        write("ghi");

        rotate(6);

        assertThat(all()).isEqualTo("efghi");
    }

    @Test
    void read_rotatedBehindWhatWasRead_goesOnWithinTheLog() throws IOException {
        write("abcdef");
        assertThat(text(5)).isEqualTo("abcde");

        rotate(3);
        write("g");

        assertThat(all()).isEqualTo("fg");
    }

    @Test
    void read_rotatedSeveralTimesSince_goesOnWhereItWas() throws IOException {
        write("abc");
        assertThat(text(2)).isEqualTo("ab");
        for (String next : new String[] {"def", "ghi", "jkl"}) {
            rotate(3);
            write(next);
        }

        assertThat(all()).isEqualTo("cdefghijkl");
    }

    @Test
    void read_longerThanTheLogWasWhenItIsRotated_isNoticedAllTheSame() throws IOException {
        write("ab");
        assertThat(all()).isEqualTo("ab");
        rotate(2);

        write("a new one that is longer");

        assertThat(all()).isEqualTo("a new one that is longer");
    }

    @Test
    void read_partWasDeletedBeforeItWasRead_goesOnWithTheNext() throws IOException {
        write("abc");
        rotate(3);
        assertThat(text(1)).isEqualTo("a");
        write("def");
        rotate(3);
        Files.delete(LogRotation.part(log, 2));
        write("g");

        assertThat(all()).isEqualTo("defg");
    }

    @Test
    void read_emptiedByItsWorker_goesOnWithWhatIsThere() throws IOException {
        write("before");
        assertThat(all()).isEqualTo("before");

        Files.writeString(log, "new");

        assertThat(all()).isEqualTo("new");
    }

    /** What the kernel does on file systems that can. */
    private void rotate(int length) throws IOException {
        for (int number = 9; number > 0; number--) {
            if (Files.exists(LogRotation.part(log, number))) {
                Files.move(LogRotation.part(log, number), LogRotation.part(log, number + 1));
            }
        }
        String text = Files.readString(log);
        Files.writeString(LogRotation.part(log, 1), text.substring(0, length));
        Files.writeString(log, text.substring(length));
    }

    private void write(String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private String all() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String text = text(3); !text.isEmpty(); text = text(3)) {
            all.append(text);
        }
        return all.toString();
    }

    private String text(int most) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(most);
        reader.read(buffer);
        reader.advance(buffer.position());
        return new String(buffer.array(), 0, buffer.position(), UTF_8);
    }
}
