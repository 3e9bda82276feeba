/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How a program is run, by its name and what the user states about it. */
enum ProgramKind {
    /** A jar, on the JVM. */
    JAR,
    /** A file that Python's interpreter runs. */
    SCRIPT,
    /** The name of a module that the interpreter finds and runs. */
    MODULE,
    /** Anything else: it is executed as it is. */
    EXECUTABLE;

    /** Torchrun's variable for another interpreter. */
    static final String INTERPRETER = "PYTHON_EXEC";

    private static final String SCRIPT_ENDING = ".py";
    private static final List<String> INTERPRETERS = List.of("python3", "python");

    static ProgramKind of(LaunchConfig config) {
        String program = config.program();
        if (config.workers().module()) {
            return MODULE;
        } else if (program.endsWith(WorkerProgram.JAR)) {
            return JAR;
        }
        return program.endsWith(SCRIPT_ENDING) && !config.workers().noPython() ? SCRIPT : EXECUTABLE;
    }

    /** The interpreter of a script or a module: that of the variable, else the first of the PATH. */
    static Optional<String> interpreter(Map<String, String> environment) {
        String named = environment.getOrDefault(INTERPRETER, "");
        String path = environment.getOrDefault("PATH", "");
        return named.isEmpty()
                ? INTERPRETERS.stream()
                        .flatMap(name -> Executables.find(name, path).stream())
                        .map(String::valueOf)
                        .findFirst()
                : Stream.of(named)
                        .filter(name -> name.contains("/")
                                || Executables.find(name, path).isPresent())
                        .findFirst();
    }
}
