/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.jar.Attributes;
import org.junit.jupiter.api.Test;

final class BuildStampTest {
    @Test
    void manifestOfARepository_namesTheCommitInShort() {
        assertThat(BuildStamp.of(manifest(Map.of(
                        "Implementation-Version", "0.2.0",
                        "Build-Commit", "efb1b398a35b81f8d5ebd2d5a0d0a5f62b5ffcb4"))))
                .hasToString("0.2.0 (commit efb1b398a35b)");
    }

    @Test
    void manifestOfSourcesWithoutARepository_reportsIt() {
        assertThat(BuildStamp.of(manifest(Map.of("Implementation-Version", "0.2.0", "Build-Commit", "unknown"))))
                .hasToString("0.2.0 (commit unknown)");
    }

    @Test
    void manifestOfAnotherBuild_isNone() {
        assertThat(BuildStamp.of(manifest(Map.of("Implementation-Version", "7"))))
                .isNull();
        assertThat(BuildStamp.of(null)).isNull();
    }

    @Test
    void classesInNoJar_haveNone() {
        assertThat(BuildStamp.ofThisCommand()).isNull();
    }

    private static Attributes manifest(Map<String, String> entries) {
        Attributes manifest = new Attributes();
        entries.forEach(manifest::putValue);
        return manifest;
    }
}
