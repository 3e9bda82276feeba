/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs among the tests, in a JVM of their own. */
public final class TestJvm {
    private TestJvm() {}

    /** The line that runs a class with the Java and the class path of this test. */
    public static List<String> command(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Where HotSpot listens once a tool has attached, with {@code -Xrs} from its start on; one that is killed leaves it. */
    public static Path attachSocket(Process jvm) {
        return Path.of("/tmp/.java_pid" + jvm.pid());
    }
}
