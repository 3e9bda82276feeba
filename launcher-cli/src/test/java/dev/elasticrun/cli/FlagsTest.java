/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.LaunchConfig;
import dev.elasticrun.agent.LaunchConfigBuilder;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flags and configuration say the same, in both directions. */
final class FlagsTest {
    private static final String PROGRAM = "/bin/true";
    /** Builder calls whose flag has another name, and those that are no flags but what follows them. */
    private static final Map<String, String> OTHER_NAMES =
            Map.of("environment", "env", "console", "no-console", "drainSignals", "drain-signal");

    private static final Set<String> NOT_FLAGS = Set.of("arguments", "build");

    @TempDir
    private Path directory;

    private Map<String, String> other = Map.of();

    @BeforeEach
    void chooseValuesThatAreNotDefaults() throws Exception {
        Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef");
        other = Map.ofEntries(
                Map.entry("nnodes", "2:5"),
                Map.entry("nproc-per-node", "3"),
                Map.entry("restart-policy", "soft"),
                Map.entry("policy-path", directory.toString()),
                Map.entry("max-restarts", "11"),
                Map.entry("run-id", "r1"),
                Map.entry("rdzv-backend", "etcd"),
                Map.entry("rdzv-endpoint", "a:1,b:2379"),
                Map.entry("run-key-file", key.toString()),
                Map.entry("local-addr", "10.1.2.3"),
                Map.entry("java", "/bin/sh"),
                Map.entry("java-opts", "-Xmx1g '-Da=b c'"),
                Map.entry("class-path", "x.jar:y.jar"),
                Map.entry("main-class", "a.B"),
                Map.entry("env", "A=b=c"),
                Map.entry("role", "trainer"),
                Map.entry("drain-signal", "USR1,USR2"),
                Map.entry("no-retry-exit-codes", "2,64"),
                Map.entry("no-progress-limit", "4"),
                Map.entry("bind-to", "numa"),
                Map.entry("log-dir", directory.toString()),
                Map.entry("tee", "0:1"),
                Map.entry("redirects", "2"),
                Map.entry("log-prefix", "${rank} "),
                Map.entry("local-ranks-filter", "0"),
                Map.entry("duplicate-stdout-filters", "loss,a,,b"),
                Map.entry("duplicate-stderr-filters", "WARN"),
                Map.entry("log-max-size", "64m"),
                Map.entry("log-max-files", "3"),
                Map.entry("dashboard-port", "0.0.0.0:8080"),
                Map.entry("metrics-port", "[::1]:9100"),
                Map.entry("checkpoint-dir", directory.toString()),
                Map.entry("checkpoint-every", "5"),
                Map.entry("local-replicas", "1"),
                Map.entry("on-state-loss", "fail"),
                Map.entry("lease-ttl", "4s"),
                Map.entry("heartbeat-interval", "300ms"),
                Map.entry("join-timeout", "7s"),
                Map.entry("last-call-timeout", "8s"),
                Map.entry("scale-up-delay", "9ms"),
                Map.entry("replacement-wait", "9500ms"),
                Map.entry("rejoin-back-off", "9500ms"),
                Map.entry("exclude-cool-down", "10s"),
                Map.entry("pause-timeout", "10500ms"),
                Map.entry("peer-timeout", "12s"),
                Map.entry("operation-timeout", "31s"),
                Map.entry("hang-timeout", "32s"),
                Map.entry("store-timeout", "13s"),
                Map.entry("first-contact-timeout", "14s"),
                Map.entry("shutdown-timeout", "15s"));
    }

    @Test
    void everyBuilderCall_hasAFlag() {
        Set<String> calls = Arrays.stream(LaunchConfigBuilder.class.getDeclaredMethods())
                .filter(method -> java.lang.reflect.Modifier.isPublic(method.getModifiers()))
                .map(Method::getName)
                .filter(name -> !NOT_FLAGS.contains(name))
                .map(name -> OTHER_NAMES.getOrDefault(name, dashed(name)))
                .collect(Collectors.toSet());
        Set<String> flags = Flags.all().stream()
                .map(Flag::name)
                .map(name -> name.equals("rdzv-endpoint") ? "rdzv-endpoints" : name)
                .collect(Collectors.toSet());
        assertThat(flags).isEqualTo(calls);
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
            if (flag.name().equals("nnodes") || flag.name().startsWith("checkpoint-")) {
                given.add("--run-id=r1");
            }
            if (flag.name().equals("checkpoint-every")) {
                given.add("--checkpoint-dir=" + directory);
            }
            if (flag.name().equals("rdzv-backend")) {
                given.add("--rdzv-endpoint=a:1");
            }
            if (flag.name().equals("replacement-wait")) {
                given.add("--restart-policy=soft");
            }
            given.addAll(List.of("--", PROGRAM, "--x", "--"));
            assertThat(LaunchOptions.arguments(parse(given))).containsExactlyInAnyOrderElementsOf(given);
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
