/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.runtime.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LibraryProbeTest {
    private static final NativeLibrary LIBRARY = new NativeLibrary("libof-a-test.so.1", "package of-a-test");

    @TempDir
    Path directory;

    @Test
    void library_onTheSearchPath_isFound() throws IOException {
        Path file = Files.createFile(directory.resolve(LIBRARY.file()));

        assertThat(LibraryProbe.of("/nowhere:" + directory, Path.of("/nowhere")).check(LIBRARY, "x"))
                .isEqualTo(Check.ok("native library " + LIBRARY.file(), file.toString()));
    }

    @Test
    void library_inADirectoryOfTheLoadersConfiguration_isFound() throws IOException {
        Files.createFile(directory.resolve(LIBRARY.file()));
        Files.writeString(directory.resolve("a.conf"), "# of a test\n" + directory + "\n");

        assertThat(LibraryProbe.of("", directory).check(LIBRARY, "x").health()).isEqualTo(Health.OK);
    }

    @Test
    void library_thatIsNowhere_isAnErrorThatNamesThePackage() {
        Check check = LibraryProbe.ofThisMachine().check(LIBRARY, "x");

        assertThat(check.health()).isEqualTo(Health.ERROR);
        assertThat(check.found()).contains("--runtime x");
        assertThat(check.advice()).isEqualTo("install package of-a-test");
    }
}
