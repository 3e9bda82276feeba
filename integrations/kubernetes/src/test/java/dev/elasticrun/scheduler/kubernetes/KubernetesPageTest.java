/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.scheduler.JobOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page has every option, and each test that it names exists. */
@Tag("once")
final class KubernetesPageTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z0-9]+(?:Test|IT|E2E))`");

    @Test
    void options_eachOfThem_areOnThePage() throws IOException {
        String page = page();

        assertThat(Options.ALL).extracting(KubernetesPageTest::row).allSatisfy(row -> assertThat(page)
                .contains(row));
    }

    @Test
    void tests_thatThePageNames_exist() throws IOException {
        Set<String> named =
                TEST.matcher(page()).results().map(match -> match.group(1)).collect(Collectors.toSet());
        Set<String> known = new HashSet<>();
        for (String module : List.of("agent", "integrations", "samples")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java"))
                        .forEach(name -> known.add(name.replace(".java", "")));
            }
        }

        assertThat(named).hasSizeGreaterThan(3);
        assertThat(known).containsAll(named);
    }

    private static String row(JobOption option) {
        return "| `" + option.name() + "` | `" + option.label().replace("|", "\\|") + "` | " + option.help() + " |";
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/kubernetes.md"));
    }
}
