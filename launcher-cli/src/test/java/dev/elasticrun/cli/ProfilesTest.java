/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A profile adds tests and replaces none: it has no list of its own of which tests run, only what lists refer to. */
@Tag("once")
final class ProfilesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern LIST = Pattern.compile("<(includes|excludes|test|groups)>");

    @Test
    void profiles_ofAllModules_replaceNoTests() throws IOException {
        List<String> modules = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        assertThat(modules).contains("agent", "samples");

        for (Path module : Stream.concat(Stream.of(""), modules.stream())
                .map(ROOT::resolve)
                .toList()) {
            String pom = Files.readString(module.resolve("pom.xml"));
            int profiles = pom.indexOf("<profiles>");
            if (profiles >= 0) {
                assertThat(pom.substring(profiles)).as(module.toString()).doesNotContainPattern(LIST);
            }
        }
    }
}
