/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What to run as a worker.
 *
 * @param argv program and arguments; a program without a slash is looked for in the PATH of {@code environment}
 * @param environment the whole environment of the worker: nothing is inherited
 * @param stdout file that the worker's standard output is appended to; missing directories are made
 * @param stderr file for standard error; may be the same file
 * @param workingDirectory an existing directory
 * @param cpus the processors that it may use, which takes {@code taskset}; empty = those of this process
 * @param yields whether it begins at a low priority, where that can be raised again: see {@link WorkerProcess#raise}
 * @param reusable the same program for a process that works for one run after the other; empty = there are none here
 */
public record WorkerCommand(
        List<String> argv,
        Map<String, String> environment,
        Path stdout,
        Path stderr,
        Path workingDirectory,
        List<Integer> cpus,
        boolean yields,
        Optional<ReusableProgram> reusable) {

    /** On all processors, at the priority of this process. */
    public WorkerCommand(
            List<String> argv, Map<String, String> environment, Path stdout, Path stderr, Path workingDirectory) {
        this(argv, environment, stdout, stderr, workingDirectory, List.of(), false, Optional.empty());
    }

    public WorkerCommand {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
        cpus = List.copyOf(cpus);
        Objects.requireNonNull(stdout, "stdout");
        Objects.requireNonNull(stderr, "stderr");
        Objects.requireNonNull(workingDirectory, "workingDirectory");
        if (argv.isEmpty() || argv.get(0).isEmpty()) {
            throw new IllegalArgumentException("argv: no program (expected: program, arguments)");
        }
    }

    /** Names of the variables only: values may be secrets. */
    @Override
    public String toString() {
        return "WorkerCommand[argv=" + argv + ", environment=" + environment.keySet() + ", stdout=" + stdout
                + ", stderr=" + stderr + ", workingDirectory=" + workingDirectory + ", cpus=" + cpus + ", yields="
                + yields + ", reusable=" + reusable
                + "]";
    }
}
