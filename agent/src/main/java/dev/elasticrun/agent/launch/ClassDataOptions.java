/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.ClassData;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Options of JVMs that list, archive and use the classes of a program. Pure. */
public final class ClassDataOptions {
    /**
     * Options that have no effect outside of the JVM, whose archive depends on them at most in a way that the JVM checks. An
     * agent of a debugger or profiler, a log file or an archive of the user's own is not among them.
     */
    private static final Pattern HARMLESS =
            Pattern.compile("-Xm[xsn]\\S+|-Xss\\S+|-D(?!java\\.system\\.class\\.loader).+"
                    + "|-ea|-da|-esa|-dsa|-enableassertions|-disableassertions"
                    + "|-XX:[+-]Use(?:Serial|Parallel|G1|Z|Shenandoah)GC|-XX:-UsePerfData|-XX:[+-]ExitOnOutOfMemoryError"
                    + "|-XX:(?:Min|Initial|Max)RAMPercentage=\\S+|-XX:MaxDirectMemorySize=\\S+|-XX:TieredStopAtLevel=\\d"
                    + "|-XX:ActiveProcessorCount=\\d+|--add-opens=\\S+|--add-exports=\\S+|--enable-native-access=\\S+");

    /** The JVM takes more options from them. */
    private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    /**
     * Workers come first: where processors are busy, and where the kernel must kill a process for lack of memory. The process
     * is a session of its own, and Linux may share processors between sessions.
     */
    private static final String YIELDING = "echo 1000 > /proc/self/oom_score_adj;"
            + " { echo 10 > /proc/self/autogroup; } 2> /dev/null; exec nice -n 10 \"$@\"";

    private ClassDataOptions() {}

    /**
     * Why this program's classes are not archived; empty if they are.
     *
     * @param inherited variables that workers get from this process
     * @param directory where the archive would be; empty = there is no place on a disk
     */
    public static Optional<String> obstacle(
            LaunchConfig config, Map<String, String> inherited, Optional<Path> directory) {
        if (config.workers().classData() == ClassData.OFF) {
            return Optional.of("--class-data off");
        }
        if (!WorkerProgram.isJar(config)) {
            return Optional.of(config.program() + " is not a jar");
        }
        Optional<String> other = Stream.of(WorkerProgram.classPath(config).split(File.pathSeparator))
                .filter(entry -> !entry.endsWith(WorkerProgram.JAR))
                .findFirst();
        if (other.isPresent()) {
            return Optional.of("the class path has '" + other.get() + "', which is not a jar");
        }
        Optional<String> option = config.workers().javaOpts().stream()
                .filter(text -> !HARMLESS.matcher(text).matches())
                .findFirst();
        if (option.isPresent()) {
            return Optional.of("--java-opts has " + option.get());
        }
        Optional<String> variable = VARIABLES.stream()
                .filter(name -> inherited.containsKey(name)
                        || config.workers().environment().containsKey(name))
                .findFirst();
        if (variable.isPresent()) {
            return Optional.of(variable.get() + " is set");
        }
        // In the option a colon separates two archives.
        return directory.filter(place -> !place.toString().contains(":")).isPresent()
                ? Optional.empty()
                : Optional.of("there is no directory for it on a disk");
    }

    /** Of a worker that lists its classes. */
    public static List<String> listing(Path list) {
        return List.of("-XX:DumpLoadedClassList=" + list);
    }

    /** Of a worker that uses the archive, or, if its JVM does not accept it, starts without it and without a message. */
    public static List<String> using(Path archive) {
        return List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off");
    }

    /** The command that archives listed classes. It loads and links them, and runs none of their code. */
    public static List<String> archiving(LaunchConfig config, Path list, Path archive) {
        return java(
                config,
                List.of("-Xshare:dump", "-XX:SharedClassListFile=" + list, "-XX:SharedArchiveFile=" + archive),
                List.of());
    }

    /** The command that ends with 0 if workers can use the archive. */
    public static List<String> checking(LaunchConfig config, Path archive) {
        return java(config, List.of("-Xshare:on", "-XX:SharedArchiveFile=" + archive), List.of("-version"));
    }

    private static List<String> java(LaunchConfig config, List<String> share, List<String> last) {
        List<String> argv = new ArrayList<>(List.of(
                "sh", "-c", YIELDING, "class-data", config.workers().java().toString()));
        argv.addAll(config.workers().javaOpts());
        argv.addAll(share);
        argv.addAll(List.of("-XX:-UsePerfData", "-cp", WorkerProgram.classPath(config)));
        argv.addAll(last);
        return argv;
    }
}
