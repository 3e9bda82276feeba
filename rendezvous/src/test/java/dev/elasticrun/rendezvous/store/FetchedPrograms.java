/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs that tests need and a machine may lack: those on the PATH, else the distribution's, fetched once. */
public final class FetchedPrograms {
    private static final String SCRIPT = ".config/fetch-packages";
    /** Below the root and not below its {@code target}: what was downloaded outlives a clean build. */
    private static final String FETCHED = ".fetched";

    private FetchedPrograms() {}

    /**
     * The directory that holds all of the programs. Blocks while they are fetched, safe in several processes at once.
     *
     * @param folder to fetch them into
     * @throws IllegalStateException if there is no way to get them; names the packages
     */
    public static Path directory(String folder, List<String> packages, List<String> programs) {
        Path root = root();
        List<String> command = new ArrayList<>(List.of(
                root.resolve(SCRIPT).toString(),
                root.resolve(FETCHED).resolve(folder).toString(),
                String.join(" ", packages)));
        command.addAll(programs);
        return Path.of(run(command).strip());
    }

    /**
     * The directory of programs that a script of the project makes, unless they are there. Blocks meanwhile.
     *
     * @param script from the root; prints the directory
     * @param folder to make them in
     * @throws IllegalStateException if there is no way to make them
     */
    public static Path madeBy(String script, String folder) {
        Path root = root();
        return Path.of(run(List.of(
                        root.resolve(script).toString(),
                        root.resolve(FETCHED).resolve(folder).toString()))
                .strip());
    }

    /** Output of a command; what it wrote to standard error if it wrote nothing else. */
    static String run(List<String> command) {
        try {
            Path errors = Files.createTempFile("fetch-", ".log");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectError(errors.toFile())
                        .start();
                String output = new String(process.getInputStream().readAllBytes(), UTF_8);
                int exit = process.waitFor();
                String printed = Files.readString(errors);
                if (exit != 0) {
                    throw new IllegalStateException(command.get(0) + " ended with " + exit + ": " + printed.strip());
                }
                return output.isEmpty() ? printed : output;
            } finally {
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
        }
    }

    /** Tests run in a module's directory, or in the root's from an IDE. */
    private static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path candidate = start; candidate != null; candidate = candidate.getParent()) {
            if (Files.isExecutable(candidate.resolve(SCRIPT))) {
                return candidate;
            }
        }
        throw new IllegalStateException("no " + SCRIPT + " in or above " + start);
    }
}
