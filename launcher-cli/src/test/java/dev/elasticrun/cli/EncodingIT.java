/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes reach workers as they are, whatever the locale. A shell makes them: this JVM may not be able to name them. */
@Timeout(120)
final class EncodingIT {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "LC_ALL=C, C|unset",
        "LANG=POSIX, unset|POSIX",
        "UNRELATED=1, unset|unset",
        "LC_ALL=C.UTF-8, C.UTF-8|unset"
    })
    void bytes_reachWorkersAsTheyAre(String variable, String seenByTheWorker) throws Exception {
        String caller = "unset LC_ALL LC_CTYPE LANG; export " + variable + ";"
                + " u=$(printf '\\303\\244 \\346\\227\\245');"
                + " mkdir \"$u\"; cd \"$u\"; mkdir tmp; printf '#!/bin/sh\\n"
                + "printf %%s \"$1,$GIVEN,$INHERITED,${LC_ALL-unset}|${LANG-unset},$(pwd)\" >../seen\\n' >\"$u.sh\";"
                + " chmod +x \"$u.sh\";"
                + " INHERITED=$(printf '\\303\\274\\377') TMPDIR=$PWD/tmp; export INHERITED TMPDIR;"
                + " exec \"$1\" --standalone --env \"GIVEN=$u\" \"./$u.sh\" \"$u\"";
        try (Script script = shell(caller)) {
            assertThat(script.exitCode()).as(script.err()).isZero();
        }
        String name = "\u00c3\u00a4 \u00e6\u0097\u00a5";
        assertThat(Files.readString(directory.resolve("seen"), StandardCharsets.ISO_8859_1))
                .isEqualTo(name + "," + name + ",\u00c3\u00bc\u00ff," + seenByTheWorker + "," + directory.toRealPath()
                        + "/" + name);
    }

    @Test
    void argumentThatIsNoText_isRefused() throws Exception {
        try (Script script = shell("exec \"$1\" --standalone /bin/true \"$(printf 'a\\377')\"")) {
            assertThat(script.exitCode()).isEqualTo(2);
            assertThat(script.err()).startsWith("elastic-run: argument 3: a\ufffd (expected: valid UTF-8, which");
        }
    }

    private Script shell(String command) throws Exception {
        return Script.of(directory, List.of("sh", "-c", command, "caller", Script.path()));
    }
}
