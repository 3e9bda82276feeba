/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.LaunchConfig;
import dev.elasticrun.agent.LaunchConfigBuilder;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flags and configuration say the same, in both directions. */
@Tag("once")
final class FlagsTest {
    private static final String PROGRAM = "/bin/true";
    /** Builder calls whose flag has another name, and those that are no flags but what follows them. */
    private static final Map<String, String> OTHER_NAMES = Map.of(
            "environment",
            "env",
            "console",
            "no-console",
            "drainSignals",
            "drain-signal",
            "rdzvEndpoints",
            "rdzv-endpoint");

    private static final Set<String> NOT_FLAGS = Set.of("arguments", "build");

    @TempDir
    private Path directory;

    private Map<String, String> other = Map.of();

    @BeforeEach
    void chooseValuesThatAreNotDefaults() throws Exception {
        other = OtherValues.in(directory);
    }

    /** That each call is made by one flag only is a rule of {@link ArchitectureTest}. */
    @Test
    void everyBuilderCall_isNamedAfterItsFlag() {
        List<String> calls = calls().stream()
                .map(name -> OTHER_NAMES.getOrDefault(name, dashed(name)))
                .toList();
        assertThat(Flags.all().stream().map(Flag::name)).containsExactlyInAnyOrderElementsOf(calls);
    }

    /** The calls of the builder that set what a flag can set, sorted. */
    static List<String> calls() {
        return Arrays.stream(LaunchConfigBuilder.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(Method::getName)
                .filter(name -> !NOT_FLAGS.contains(name))
                .sorted()
                .toList();
    }

    @Test
    void everyFlag_reachesTheConfiguration() {
        List<String> arguments = new ArrayList<>();
        Flags.all().stream()
                .filter(Flag::takesValue)
                .forEach(flag -> arguments.addAll(List.of(flag.option(), value(flag))));
        arguments.addAll(List.of("--no-console", PROGRAM, "x"));
        LaunchConfig config = parse(arguments);
        for (Flag flag : Flags.all()) {
            if (flag.takesValue()) {
                assertThat(flag.binding().reader().apply(config))
                        .as(flag.name())
                        .containsExactly(value(flag));
            }
        }
        assertThat(config.console().shown()).isFalse();
        assertThat(config.arguments()).containsExactly("x");
    }

    @Test
    void everyFlag_comesBackFromTheConfiguration() {
        for (Flag flag : Flags.all()) {
            List<String> given = new ArrayList<>();
            given.add(flag.takesValue() ? flag.option() + "=" + value(flag) : flag.option());
            given.addAll(OtherValues.neededBy(flag, directory));
            given.addAll(List.of("--", PROGRAM, "--x", "--"));
            assertThat(LaunchOptions.arguments(parse(given))).containsExactlyInAnyOrderElementsOf(given);
        }
    }

    @Test
    void everyFlag_comesBackFromAFile() throws IOException {
        ObjectMapper json = new ObjectMapper();
        for (Flag flag : Flags.all()) {
            ObjectNode keys = json.createObjectNode().put("program", PROGRAM);
            List<String> given = new ArrayList<>(OtherValues.neededBy(flag, directory));
            given.add(flag.takesValue() ? flag.option() + "=" + value(flag) : flag.option());
            for (String one : given) {
                String[] parts = one.substring(2).split("=", 2);
                keys.put(parts[0], parts.length == 2 ? parts[1] : "true");
            }
            given.addAll(List.of("--", PROGRAM));
            for (String name : List.of("flags.json", "flags.yaml")) {
                Path file = Files.write(directory.resolve(name), json.writeValueAsBytes(keys));
                assertThat(LaunchOptions.arguments(parse(List.of("--config", file.toString()))))
                        .containsExactlyInAnyOrderElementsOf(given);
            }
        }
    }

    @Test
    void noFlags_isTheDefaultConfiguration() {
        LaunchConfig plain = LaunchConfig.builder(PROGRAM).build();
        LaunchConfig parsed = parse(List.of(PROGRAM));
        for (Flag flag : Flags.all()) {
            assertThat(flag.binding().reader().apply(parsed))
                    .as(flag.name())
                    .isEqualTo(flag.binding().reader().apply(plain));
        }
    }

    @Test
    void defaultsThatTheHelpNames_areThoseOfTheConfiguration() {
        LaunchConfig plain = LaunchConfig.builder(PROGRAM).build();
        for (Flag flag : Flags.all()) {
            if (!flag.fallback().isEmpty()) {
                LaunchConfig given = parse(List.of(flag.option(), flag.fallback(), PROGRAM));
                assertThat(flag.binding().reader().apply(given))
                        .as(flag.name())
                        .isEqualTo(flag.binding().reader().apply(plain));
            }
        }
    }

    private String value(Flag flag) {
        String value = other.get(flag.name());
        assertThat(value).as("a value for --" + flag.name()).isNotNull();
        return String.valueOf(value);
    }

    private static LaunchConfig parse(List<String> arguments) {
        return LaunchOptions.parse(arguments, Map.of()).config().orElseThrow();
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
