/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.ScriptedDeaths;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * How the JVMs of {@link RecoverProgram} are started: many at once on few processors. An archive of class data, which a
 * first run writes as it ends, spares each of them a third of its start. It needs the program in a jar.
 */
final class RecoverJvm {
    private static final String OPTIONS =
            "-XX:TieredStopAtLevel=1 -XX:CICompilerCount=1 -XX:+UseSerialGC -XX:-UsePerfData -Xshare:auto";
    private static final String FROM_ARCHIVE =
            " -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 -XX:SharedArchiveFile=";
    private static final String HEAP = " -Xmx192m";
    /** Large arrays do not fit into the young generation: nothing copies them. */
    private static final String LARGE_HEAP = " -Xms768m -Xmx768m -Xmn16m";

    private static final Path CLASSES = Project.ROOT.resolve("samples/target/test-classes");
    /** As seen from where agents run: options must not have spaces in them. */
    private static final Path DIRECTORY = Path.of("samples/target/recover");

    private static final Path JAR = DIRECTORY.resolve("program.jar");
    private static final Path ARCHIVE = DIRECTORY.resolve("program.jsa");
    private static boolean isTrained;

    private RecoverJvm() {}

    /** Options of an agent; the first call of a process runs the program once, in a small world. */
    static synchronized List<String> options(TestRun run, boolean isLarge) throws IOException {
        if (!isTrained) {
            isTrained = true;
            writeJar(Files.createDirectories(Project.ROOT.resolve(DIRECTORY)));
            Files.deleteIfExists(Project.ROOT.resolve(ARCHIVE));
            train(run);
        }
        return options(OPTIONS + FROM_ARCHIVE + ARCHIVE + (isLarge ? LARGE_HEAP : HEAP));
    }

    private static void train(TestRun run) {
        List<String> options =
                new ArrayList<>(List.of("--standalone", "--nproc-per-node", "2", "--restart-policy", "soft-replace"));
        // Both workers write it; each to a file of its own, of which the last one keeps the name.
        options.addAll(options(OPTIONS + HEAP + " -XX:ArchiveClassesAtExit=" + ARCHIVE));
        run.agent(options, RecoverRun.program(100, RecoverProgram.Keeping.LOCAL))
                .exitCode(TestRun.LIMIT);
    }

    private static List<String> options(String java) {
        return List.of(
                "--java-opts",
                java,
                "--class-path",
                JAR + File.pathSeparator + ScriptedDeaths.classPath(),
                "--main-class",
                RecoverProgram.class.getName());
    }

    private static void writeJar(Path directory) throws IOException {
        String prefix = RecoverJvm.class.getPackageName().replace('.', '/') + "/Recover";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(directory.resolve(JAR.getFileName())));
                Stream<Path> files = Files.walk(CLASSES)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = CLASSES.relativize(file).toString();
                if (name.startsWith(prefix)) {
                    jar.putNextEntry(new ZipEntry(name));
                    Files.copy(file, jar);
                    jar.closeEntry();
                }
            }
        }
    }
}
