/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of packages for users begin with an example that compiles as it is, with what is published. */
final class ExamplesIT {
    private static final Pattern EXAMPLE =
            Pattern.compile("\\A.{0,400}?<pre>\\{@code\\n(.*?)\\n \\* \\}</pre>", Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("^(?:public )?final class (\\w+)", Pattern.MULTILINE);

    @TempDir
    private Path directory;

    static Stream<Arguments> pages() {
        return Repository.APIS.stream().flatMap(ExamplesIT::pages);
    }

    private static Stream<Arguments> pages(String artifact) {
        try (JarFile javadoc =
                new JarFile(Repository.file(artifact, "-javadoc.jar").toFile())) {
            // Packages with a page that users see.
            return javadoc.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith("/package-summary.html"))
                    .map(name -> name.substring(name.indexOf("dev/elasticrun/"), name.lastIndexOf('/')))
                    .distinct()
                    .sorted()
                    .map(name -> Arguments.of(artifact, name))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void page_beginsWithAnExampleThatCompiles(String artifact, String name) {
        String page = Repository.text(Repository.file(artifact, "-sources.jar"), name + "/package-info.java");
        Matcher example = EXAMPLE.matcher(page);
        assertThat(example.find()).as("%s: %s", name, page).isTrue();

        String source = example.group(1).replaceAll("(?m)^ \\* ?", "");

        assertThat(messages(source)).as(source).isEmpty();
    }

    private String messages(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        compiler.getTask(
                        messages,
                        null,
                        null,
                        List.of("--release", "17", "-d", directory.toString(), "-classpath", classPath()),
                        null,
                        List.of(file(source)))
                .call();
        return messages.toString();
    }

    /** Ours as published, others as this test has them. */
    private static String classPath() {
        Stream<String> ours = Repository.libraries().stream()
                .map(name -> Repository.file(name, ".jar").toString());
        Stream<String> others = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar") && !entry.contains("elastic-run-"));
        return Stream.concat(ours, others).collect(Collectors.joining(File.pathSeparator));
    }

    private static JavaFileObject file(String source) {
        Matcher name = CLASS.matcher(source);
        assertThat(name.find()).as(source).isTrue();
        return new SimpleJavaFileObject(
                URI.create("string:///" + name.group(1) + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }
}
