/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** From a program's name to a command line. */
public final class WorkerProgram {
    public static final String TMPDIR = "TMPDIR";
    /** How the name of a program ends that runs on the JVM. */
    static final String JAR = ".jar";

    /** Of Python's interpreter: lines of its output are in the log when they are written. */
    private static final String UNBUFFERED = "-u";

    private static final String LOCAL_RANK = "${local_rank}";

    private WorkerProgram() {}

    /** Whether the program runs on the JVM. */
    public static boolean isJar(LaunchConfig config) {
        return ProgramKind.of(config) == ProgramKind.JAR;
    }

    /**
     * A jar runs on the JVM, a script or module of Python in its interpreter; anything else is executed as it is.
     *
     * @param temporary directory for temporary files of the JVM, unless the user chose one
     * @param more options of the JVM besides those of the user
     * @param localRank what stands for {@code ${local_rank}} in the program's arguments, as with torchrun
     */
    public static List<String> commandLine(LaunchConfig config, Path temporary, List<String> more, int localRank) {
        WorkerOptions workers = config.workers();
        ProgramKind kind = ProgramKind.of(config);
        List<String> argv = new ArrayList<>();
        if (kind == ProgramKind.SCRIPT || kind == ProgramKind.MODULE) {
            argv.add(ProgramKind.interpreter(System.getenv()).orElse("python3"));
            argv.add(UNBUFFERED);
            if (kind == ProgramKind.MODULE) {
                argv.add("-m");
            }
            argv.add(config.program());
        } else if (kind == ProgramKind.EXECUTABLE) {
            argv.add(config.program());
        } else {
            String jar = jar(config);
            argv.add(workers.java().toString());
            if (!workers.environment().containsKey(TMPDIR)) {
                argv.add("-Djava.io.tmpdir=" + temporary);
            }
            argv.addAll(more);
            argv.addAll(workers.javaOpts());
            if (workers.mainClass().isEmpty() && workers.classPath().isEmpty()) {
                argv.add("-jar");
                argv.add(jar);
            } else {
                argv.add("-cp");
                argv.add(classPath(config));
                argv.add(workers.mainClass().orElseGet(() -> mainClass(Path.of(jar))));
            }
        }
        config.arguments().forEach(argument -> argv.add(argument.replace(LOCAL_RANK, Integer.toString(localRank))));
        return argv;
    }

    /** Of a program that is a jar: the jar, and what the user adds. */
    static String classPath(LaunchConfig config) {
        String jar = jar(config);
        return config.workers()
                .classPath()
                .map(more -> jar + File.pathSeparator + more)
                .orElse(jar);
    }

    private static String jar(LaunchConfig config) {
        return Path.of(config.program()).toAbsolutePath().toString();
    }

    private static String mainClass(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String name = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            if (name == null) {
                throw new IllegalArgumentException(
                        jar + ": no Main-Class in its manifest (expected: one, or --main-class)");
            }
            return name;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + jar, e);
        }
    }
}
