/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flags and configuration are equivalent, in both directions. */
@Tag("once")
final class FlagsTest {
    private static final String PROGRAM = "/bin/true";
    /** Calls of the builder whose setting has another name, and those that are not about one. */
    private static final Map<String, String> OTHER_NAMES = Map.of(
            "environment",
            "env",
            "console",
            "no-console",
            "drainSignals",
            "drain-signal",
            "rdzvEndpoints",
            "rdzv-endpoint");

    private static final Set<String> OF_NONE = Set.of("arguments", "build", "set", "setTexts", "unchecked");

    @TempDir
    private Path directory;

    private Function<Setting<?>, String> other = Setting::name;

    @BeforeEach
    void chooseValuesThatAreNotDefaults() throws Exception {
        other = OtherValues.in(directory);
    }

    @Test
    void everyBuilderCall_isNamedAfterASetting() {
        List<String> names = Settings.all().stream().map(Setting::name).toList();
        assertThat(LaunchConfigBuilder.class.getDeclaredMethods())
                .filteredOn(method -> Modifier.isPublic(method.getModifiers()))
                .extracting(Method::getName)
                .filteredOn(name -> !OF_NONE.contains(name))
                .allSatisfy(name ->
                        assertThat(OTHER_NAMES.getOrDefault(name, dashed(name))).isIn(names));
    }

    @Test
    void everyFlag_reachesTheConfiguration() {
        List<String> arguments = new ArrayList<>();
        Settings.all().stream()
                .filter(flag -> flag.kind().takesValue() && !OtherValues.INSTEAD_OF_ANOTHER.contains(flag.name()))
                .forEach(flag -> arguments.addAll(List.of(flag.option(), value(flag))));
        arguments.addAll(List.of("--no-console", PROGRAM, "x"));
        LaunchConfig config = parse(arguments);
        for (Setting<?> flag : Settings.all()) {
            if (OtherValues.INSTEAD_OF_ANOTHER.contains(flag.name())) {
                LaunchConfig alone = parse(List.of(flag.option(), value(flag), PROGRAM, "x"));
                assertThat(alone.values().texts(flag)).as(flag.name()).containsExactly(value(flag));
            } else if (flag.kind().takesValue()) {
                assertThat(config.values().texts(flag)).as(flag.name()).containsExactly(value(flag));
            }
        }
        assertThat(config.console().shown()).isFalse();
        assertThat(config.arguments()).containsExactly("x");
    }

    @Test
    void everyFlag_comesBackFromTheConfiguration() {
        for (Setting<?> flag : Settings.all()) {
            List<String> given = new ArrayList<>();
            given.add(flag.kind().takesValue() ? flag.option() + "=" + value(flag) : flag.option());
            given.addAll(OtherValues.neededBy(flag, directory));
            given.addAll(List.of("--", PROGRAM, "--x", "--"));
            assertThat(LaunchOptions.arguments(parse(given))).containsExactlyInAnyOrderElementsOf(given);
        }
    }

    @Test
    void everyFlag_comesBackFromAFile() throws IOException {
        ObjectMapper json = new ObjectMapper();
        for (Setting<?> flag : Settings.all()) {
            ObjectNode keys = json.createObjectNode().put("program", PROGRAM);
            List<String> given = new ArrayList<>(OtherValues.neededBy(flag, directory));
            given.add(flag.kind().takesValue() ? flag.option() + "=" + value(flag) : flag.option());
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
        for (Setting<?> flag : Settings.all()) {
            assertThat(parsed.values().texts(flag))
                    .as(flag.name())
                    .isEqualTo(plain.values().texts(flag));
        }
    }

    @Test
    void defaultsThatTheHelpNames_areThoseOfTheConfiguration() {
        LaunchConfig plain = LaunchConfig.builder(PROGRAM).build();
        for (Setting<?> flag : Settings.all()) {
            if (!flag.fallback().text().isEmpty()) {
                LaunchConfig given =
                        parse(List.of(flag.option(), flag.fallback().text(), PROGRAM));
                assertThat(given.values().texts(flag))
                        .as(flag.name())
                        .isEqualTo(plain.values().texts(flag));
            }
        }
    }

    private String value(Setting<?> flag) {
        return other.apply(flag);
    }

    private static LaunchConfig parse(List<String> arguments) {
        return LaunchOptions.parse(arguments, Map.of()).config().orElseThrow();
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
