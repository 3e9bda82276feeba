/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** From a program's name to a command line. */
public final class WorkerProgram {
    public static final String TMPDIR = "TMPDIR";

    private WorkerProgram() {}

    /**
     * A jar runs on the JVM; anything else is executed as it is.
     *
     * @param temporary directory for temporary files of the JVM, unless the user chose one
     */
    public static List<String> commandLine(LaunchConfig config, Path temporary) {
        WorkerOptions workers = config.workers();
        List<String> argv = new ArrayList<>();
        if (!config.program().endsWith(".jar")) {
            argv.add(config.program());
        } else {
            String jar = Path.of(config.program()).toAbsolutePath().toString();
            argv.add(workers.java().toString());
            if (!workers.environment().containsKey(TMPDIR)) {
                argv.add("-Djava.io.tmpdir=" + temporary);
            }
            argv.addAll(workers.javaOpts());
            if (workers.mainClass().isEmpty() && workers.classPath().isEmpty()) {
                argv.add("-jar");
                argv.add(jar);
            } else {
                argv.add("-cp");
                argv.add(workers.classPath()
                        .map(more -> jar + File.pathSeparator + more)
                        .orElse(jar));
                argv.add(workers.mainClass().orElseGet(() -> JarManifest.mainClass(Path.of(jar))));
            }
        }
        argv.addAll(config.arguments());
        return argv;
    }
}
