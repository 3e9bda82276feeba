/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.runtime.FrameworkRuntimes;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a worker's process is started.
 *
 * @param role name of the workers' role
 * @param java the java that runs a jar
 * @param javaOpts options of the workers' JVM
 * @param givenClassPath see {@link #classPath}
 * @param givenMainClass see {@link #mainClass}
 * @param environment variables on top of this process's, by name
 * @param runtime what is prepared for a framework around each round, as NAME or NAME:OPTION
 * @param bindTo what part of the machine each worker runs on
 */
public record WorkerOptions(
        String role,
        Path java,
        List<String> javaOpts,
        @Nullable String givenClassPath,
        @Nullable String givenMainClass,
        Map<String, String> environment,
        String runtime,
        CpuBinding bindTo) {
    static final WorkerOptions DEFAULT = new WorkerOptions(
            "default", LaunchDefaults.java(), List.of(), null, null, Map.of(), FrameworkRuntimes.NONE, CpuBinding.NONE);

    public WorkerOptions {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(java, "java");
        Objects.requireNonNull(runtime, "runtime");
        Objects.requireNonNull(bindTo, "bindTo");
        javaOpts = List.copyOf(javaOpts);
        environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    }

    /** More class path for a jar. */
    public Optional<String> classPath() {
        return Optional.ofNullable(givenClassPath);
    }

    /** The jar's main class; empty = the one in its manifest. */
    public Optional<String> mainClass() {
        return Optional.ofNullable(givenMainClass);
    }

    /** Of the environment only the names: values may be secrets. */
    @Override
    public String toString() {
        return "WorkerOptions[role=" + role + ", java=" + java + ", javaOpts=" + javaOpts + ", classPath="
                + givenClassPath + ", mainClass=" + givenMainClass + ", environment=" + environment.keySet()
                + ", runtime=" + runtime + ", bindTo=" + bindTo + "]";
    }

    WorkerOptions withRole(String value) {
        return new WorkerOptions(value, java, javaOpts, givenClassPath, givenMainClass, environment, runtime, bindTo);
    }

    WorkerOptions withJava(Path value) {
        return new WorkerOptions(role, value, javaOpts, givenClassPath, givenMainClass, environment, runtime, bindTo);
    }

    WorkerOptions withJavaOpts(List<String> value) {
        return new WorkerOptions(role, java, value, givenClassPath, givenMainClass, environment, runtime, bindTo);
    }

    WorkerOptions withClassPath(String value) {
        return new WorkerOptions(role, java, javaOpts, value, givenMainClass, environment, runtime, bindTo);
    }

    WorkerOptions withMainClass(String value) {
        return new WorkerOptions(role, java, javaOpts, givenClassPath, value, environment, runtime, bindTo);
    }

    WorkerOptions withEnvironment(Map<String, String> value) {
        return new WorkerOptions(role, java, javaOpts, givenClassPath, givenMainClass, value, runtime, bindTo);
    }

    WorkerOptions withRuntime(String value) {
        return new WorkerOptions(role, java, javaOpts, givenClassPath, givenMainClass, environment, value, bindTo);
    }

    WorkerOptions withBindTo(CpuBinding value) {
        return new WorkerOptions(role, java, javaOpts, givenClassPath, givenMainClass, environment, runtime, value);
    }
}
