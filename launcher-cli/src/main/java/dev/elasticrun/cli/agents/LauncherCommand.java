/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

import dev.elasticrun.agent.context.InheritedEnvironment;
import dev.elasticrun.agent.launch.Executables;
import dev.elasticrun.cli.log.LogSetup;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How an agent is started: by the script that started this process, or else by the same JVM and class path. Where {@code
 * setpriv} of util-linux is there, an agent receives SIGKILL when the thread that started it ends, so that it does not
 * outlive this process; its guard kills its workers then.
 *
 * @param words before the arguments
 * @param endsWithParent whether agents do not outlive this process, however that ends
 */
public record LauncherCommand(List<String> words, boolean endsWithParent) {
    /** Set by the script to its own path. */
    private static final String SCRIPT = "elasticrun.launcher";

    /** As the script starts an agent. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xms16m",
            "-Xmx128m",
            "-XX:-UsePerfData",
            "-Dio.netty.allocator.type=unpooled",
            "-D" + LogSetup.OWN_LOG + "=true");

    private static final List<String> DIE_WITH_PARENT = List.of("--pdeathsig", "KILL", "--");

    public LauncherCommand {
        words = List.copyOf(words);
    }

    public static LauncherCommand find(Map<String, String> environment) {
        List<String> words = new ArrayList<>(dieWithParent(environment));
        boolean ends = !words.isEmpty();
        String script = System.getProperty(SCRIPT, "");
        if (!script.isEmpty()) {
            words.add(script);
        } else {
            words.addAll(java("dev.elasticrun.cli.Main"));
        }
        return new LauncherCommand(words, ends);
    }

    /** A small process of the same JVM and class path as this one. */
    public static List<String> java(String mainClass) {
        List<String> words = new ArrayList<>();
        words.add(ProcessHandle.current().info().command().orElse("java"));
        words.addAll(JVM_OPTIONS);
        words.addAll(List.of("-cp", classPath(), mainClass));
        return words;
    }

    /** Of this process, also where a part of it is the module path. */
    private static String classPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Gives a child the locale that the caller had. */
    public static void restoreLocale(Map<String, String> environment) {
        Map<String, String> callers = InheritedEnvironment.of(
                Map.copyOf(environment), System.getProperty(InheritedEnvironment.LOCALE_PROPERTY));
        environment.keySet().retainAll(callers.keySet());
        environment.putAll(callers);
    }

    // Tested once: other programs of that name do not support the option.
    private static List<String> dieWithParent(Map<String, String> environment) {
        Optional<Path> program = Executables.find("setpriv", environment.getOrDefault("PATH", "/usr/bin:/bin"));
        if (program.isEmpty()) {
            return List.of();
        }
        List<String> words = new ArrayList<>(List.of(program.get().toString()));
        words.addAll(DIE_WITH_PARENT);
        List<String> trial = new ArrayList<>(words);
        trial.add("true");
        try {
            Process process = new ProcessBuilder(trial)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor(1, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return words;
            }
            process.destroyForcibly();
        } catch (IOException notThere) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return List.of();
    }
}
