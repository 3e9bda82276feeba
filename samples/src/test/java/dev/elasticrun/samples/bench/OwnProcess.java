/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Benchmarks in a process of their own, whose heap holds all their workers. */
final class OwnProcess {
    private OwnProcess() {}

    /**
     * What a main class prints, with a line about the error if it ended with one; blocks until its end.
     *
     * @param heapMib largest size of the heap, MiB
     */
    static String output(Class<?> main, int heapMib, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMib + "m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        List.of(arguments).forEach(argument -> command.add(argument.toString()));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                return text + "\nended with an error\n";
            }
            return text;
        } catch (IOException e) {
            return "left out: " + e + "\n";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
