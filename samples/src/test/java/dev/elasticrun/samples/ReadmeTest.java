/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.Project;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the front page, the how-tos, the page about launching and the Javadoc of the worker API show compiles as it is shown,
 * with the artifact that they name.
 */
@Tag("once")
final class ReadmeTest {
    private static final Pattern PROGRAM = Pattern.compile("\\n```java\\n(.*?)\\n```", Pattern.DOTALL);
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\n(.*?)\n \\* \\}</pre>", Pattern.DOTALL);
    private static final Path API = Project.ROOT.resolve("worker-api/src/main/java/dev/elasticrun/worker");
    private static final Pattern CLASS = Pattern.compile("^public final class (\\w+)", Pattern.MULTILINE);
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

    @TempDir
    private Path directory;

    static List<String> programs() throws IOException {
        List<String> programs = new ArrayList<>(programs(Project.ROOT.resolve("README.md")));
        assertThat(programs).as("programs of the front page").hasSize(1);
        programs.addAll(programs(Project.ROOT.resolve("docs/embedding.md")));
        try (Stream<Path> pages = Files.list(Project.ROOT.resolve("docs/howto"))) {
            for (Path page : pages.sorted().toList()) {
                programs.addAll(programs(page));
            }
        }
        return programs;
    }

    /** Classes that users start from. */
    static List<String> entries() {
        return List.of(
                "ElasticRuntime",
                "ElasticLoop",
                "ElasticState",
                "Snapshotable",
                "Collective",
                "ElasticSampler",
                "ElasticShards",
                "contract/WorkerInfo");
    }

    private static List<String> programs(Path page) throws IOException {
        return PROGRAM.matcher(Files.readString(page))
                .results()
                .map(result -> result.group(1))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void program_compilesAsItIsShown(String program) {
        compile(program);
    }

    @ParameterizedTest
    @MethodSource("entries")
    void example_ofAClass_compilesAsItIsShown(String entry) throws IOException {
        List<String> examples = EXAMPLE.matcher(Files.readString(API.resolve(entry + ".java")))
                .results()
                .map(result -> result.group(1).replaceAll("(?m)^ \\* ?", ""))
                .toList();

        assertThat(examples).isNotEmpty();
        examples.forEach(this::compile);
    }

    @Test
    void overview_hasTheProgramOfTheFrontPage() throws IOException {
        assertThat(Files.readString(Project.ROOT.resolve("worker-api/src/main/javadoc/overview.html")))
                .contains(programs(Project.ROOT.resolve("README.md")));
    }

    private void compile(String program) {
        StringWriter messages = new StringWriter();
        ToolProvider.getSystemJavaCompiler()
                .getTask(
                        messages,
                        null,
                        null,
                        List.of(
                                "--release",
                                "17",
                                "-Xlint:all",
                                "-d",
                                directory.toString(),
                                "-classpath",
                                System.getProperty("java.class.path")),
                        null,
                        List.of(source(program)))
                .call();

        assertThat(messages.toString().lines().filter(line -> line.contains(".java:")))
                .as(program)
                .isEmpty();
    }

    @Test
    void dependency_isThatOfThisBuild() throws IOException {
        Matcher parent = VERSION.matcher(Files.readString(Project.ROOT.resolve("bom/pom.xml")));
        assertThat(parent.find()).isTrue();

        for (String page : List.of("README.md", "docs/howto/first-worker.md")) {
            assertThat(Files.readString(Project.ROOT.resolve(page)))
                    .contains("<artifactId>elastic-run-bom</artifactId>")
                    .contains("<version>" + parent.group(1) + "</version>")
                    .contains("<artifactId>elastic-run-worker-api</artifactId>");
        }
    }

    @Test
    void picture_isTheSameInBothSchemes() throws IOException {
        assertThat(withoutColours("dark")).isEqualTo(withoutColours("light")).startsWith("<svg ");
    }

    private static String withoutColours(String scheme) throws IOException {
        return Files.readString(Project.ROOT.resolve("docs/images/killed-worker-" + scheme + ".svg"))
                .replaceAll("#[0-9a-f]{6}", "");
    }

    private static JavaFileObject source(String program) {
        Matcher name = CLASS.matcher(program);
        assertThat(name.find()).as(program).isTrue();
        return new SimpleJavaFileObject(
                URI.create("string:///" + name.group(1) + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return program;
            }
        };
    }
}
