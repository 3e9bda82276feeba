/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples of docs/testing-your-program.md are tests that run, and the artifact is the one that is built. */
@Tag("once")
final class TestingYourProgramPageTest {
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

    @Test
    void page_showsTheExamplesWordForWord() throws IOException {
        for (String example : List.of("KilledTrainingE2E", "CutOffTrainingE2E")) {
            String source = read("samples/src/test/java/dev/elasticrun/samples/" + example + ".java");

            assertThat(page()).contains(source.substring(source.indexOf("final class")));
        }
    }

    @Test
    void page_namesTheArtifact() throws IOException {
        String pom = read("testing/pom.xml");
        Matcher version = VERSION.matcher(pom);
        assertThat(version.find()).isTrue();

        assertThat(pom).contains("<artifactId>elastic-run-testing</artifactId>");
        assertThat(page())
                .contains("  <artifactId>elastic-run-testing</artifactId>\n  <version>" + version.group(1)
                        + "</version>");
    }

    private static String page() throws IOException {
        return read("docs/testing-your-program.md");
    }

    private static String read(String file) throws IOException {
        return Files.readString(Project.ROOT.resolve(file));
    }
}
