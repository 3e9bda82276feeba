/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.process.ReusableProgram;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** From a program's name to a command line. */
public final class WorkerProgram {
    public static final String TMPDIR = "TMPDIR";
    /** How the name of a program ends that runs on the JVM. */
    static final String JAR = ".jar";

    /** Of Python's interpreter: lines of its output are in the log when they are written. */
    private static final String UNBUFFERED = "-u";

    private static final Pattern BLANKS = Pattern.compile("\\s+");
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
        List<String> argv = new ArrayList<>();
        switch (ProgramKind.of(config)) {
            case JAR -> argv.addAll(jvm(config, temporary, more));
            case SCRIPT -> argv.addAll(List.of(interpreter(), UNBUFFERED, config.program()));
            case MODULE -> argv.addAll(List.of(interpreter(), UNBUFFERED, "-m", config.program()));
            case EXECUTABLE -> argv.add(config.program());
        }
        argv.addAll(arguments(config, localRank));
        return argv;
    }

    private static List<String> arguments(LaunchConfig config, int localRank) {
        return config.arguments().stream()
                .map(argument -> argument.replace(LOCAL_RANK, Integer.toString(localRank)))
                .toList();
    }

    /** A jar as a program that one process can run several times. */
    public static ReusableProgram reusable(LaunchConfig config, int localRank) {
        WorkerOptions workers = config.workers();
        String jar = jar(config);
        Attributes manifest = manifest(Path.of(jar));
        List<String> options = new ArrayList<>(workers.javaOpts());
        options.addAll(classPathOptions(config, manifest));
        return new ReusableProgram(
                workers.java().toString(),
                options,
                mainClass(config, manifest),
                arguments(config, localRank),
                localRank,
                workers.environment().containsKey(TMPDIR));
    }

    private static List<String> jvm(LaunchConfig config, Path temporary, List<String> more) {
        WorkerOptions workers = config.workers();
        String jar = jar(config);
        List<String> argv = new ArrayList<>(List.of(workers.java().toString()));
        if (!workers.environment().containsKey(TMPDIR)) {
            argv.add("-Djava.io.tmpdir=" + temporary);
        }
        argv.addAll(more);
        argv.addAll(workers.javaOpts());
        if (classPath(config).equals(jar) && workers.mainClass().isEmpty()) {
            argv.addAll(List.of("-jar", jar));
            return argv;
        }
        // Without -jar the JVM does not read these lines of the manifest.
        Attributes manifest = manifest(Path.of(jar));
        argv.addAll(classPathOptions(config, manifest));
        argv.add(mainClass(config, manifest));
        return argv;
    }

    private static List<String> classPathOptions(LaunchConfig config, Attributes manifest) {
        List<String> options = new ArrayList<>();
        options.addAll(forAll("--add-exports", manifest.getValue("Add-Exports")));
        options.addAll(forAll("--add-opens", manifest.getValue("Add-Opens")));
        options.addAll(List.of("-cp", classPath(config)));
        return options;
    }

    private static List<String> forAll(String option, @Nullable String packages) {
        return packages == null
                ? List.of()
                : BLANKS.splitAsStream(packages.strip())
                        .map(name -> option + "=" + name + "=ALL-UNNAMED")
                        .toList();
    }

    // Checked at the start; who starts it then without one learns its name.
    private static String interpreter() {
        return ProgramKind.interpreter(System.getenv()).orElse("python3");
    }

    /** Of a program that is a jar: the jar, what the user adds, and the worker API if it refers to it and has none. */
    static String classPath(LaunchConfig config) {
        return Stream.of(
                        Optional.of(jar(config)),
                        config.workers().classPath(),
                        config.api().added().map(Path::toString))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String jar(LaunchConfig config) {
        return Path.of(config.program()).toAbsolutePath().toString();
    }

    private static Attributes manifest(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            return manifest == null ? new Attributes() : manifest.getMainAttributes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + jar, e);
        }
    }

    private static String mainClass(LaunchConfig config, Attributes manifest) {
        return config.workers().mainClass().orElseGet(() -> mainClass(jar(config), manifest));
    }

    private static String mainClass(String jar, Attributes manifest) {
        String name = manifest.getValue(Attributes.Name.MAIN_CLASS);
        if (name == null) {
            throw new IllegalArgumentException(
                    jar + ": no Main-Class in its manifest (expected: one, or --main-class)");
        }
        return name;
    }
}
