/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What workers run: a program that Spark distributes to executors, or a class of the application itself.
 *
 * <pre>{@code
 * WorkerSpec worker = WorkerSpec.of("trainer.jar", "--epochs", "20").withJavaOpts("-Xmx2g");
 * WorkerSpec worker = WorkerSpec.ofMainClass("com.example.Trainer", "--epochs", "20");
 * }</pre>
 *
 * @param program a jar, or another program as the command takes it; a file of the driver; empty = the main class is one of
 *     the application
 * @param arguments of the program
 * @param mainClass of the jar; empty = the one in its manifest
 * @param javaOpts of the workers' JVMs
 * @param environment variables for the workers
 */
public record WorkerSpec(
        String program,
        List<String> arguments,
        String mainClass,
        List<String> javaOpts,
        Map<String, String> environment) {
    public WorkerSpec {
        arguments = List.copyOf(arguments);
        javaOpts = List.copyOf(javaOpts);
        environment = Map.copyOf(environment);
    }

    public static WorkerSpec of(String program, String... arguments) {
        return new WorkerSpec(program, List.of(arguments), "", List.of(), Map.of());
    }

    /**
     * A class of the application, with the class path that executors have: the application's own jars, then Spark's.
     *
     * @param name of a class that is in a jar
     */
    public static WorkerSpec ofMainClass(String name, String... arguments) {
        return new WorkerSpec("", List.of(arguments), name, List.of(), Map.of());
    }

    public WorkerSpec withMainClass(String name) {
        return new WorkerSpec(program, arguments, name, javaOpts, environment);
    }

    public WorkerSpec withJavaOpts(String... options) {
        return new WorkerSpec(program, arguments, mainClass, List.of(options), environment);
    }

    /** Adds a variable. */
    public WorkerSpec withEnvironment(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment);
        more.put(name, value);
        return new WorkerSpec(program, arguments, mainClass, javaOpts, more);
    }

    /** Flags of the command that mean the same, without the program. */
    List<String> options() {
        List<String> options = new ArrayList<>();
        if (!mainClass.isEmpty()) {
            options.addAll(List.of("--main-class", mainClass));
        }
        if (!javaOpts.isEmpty()) {
            options.add("--java-opts=" + String.join(" ", javaOpts));
        }
        environment.forEach((name, value) -> options.add("--env=" + name + "=" + value));
        return options;
    }
}
