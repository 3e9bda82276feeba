/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import dev.elasticrun.scheduler.SchedulerException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs Slurm's commands, one at a time, and waits for each. Not safe for use by several threads. */
final class SlurmCommands {
    /** More than a controller with many jobs takes, which answers within seconds. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Map<String, String> environment;

    /** @param environment of the commands; they are found by its PATH */
    SlurmCommands(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /**
     * How a command ended that succeeded.
     *
     * @param text its standard output
     * @param remarks lines of its standard error
     */
    record Result(String text, List<String> remarks) {
        Result {
            remarks = List.copyOf(remarks);
        }
    }

    /**
     * Runs a command to its end.
     *
     * @throws SchedulerException with the command's own words when it fails, and when it is not there or does not end
     */
    Result run(String program, String... arguments) {
        return runWith("", program, arguments);
    }

    /** The same with standard input. */
    Result runWith(String input, String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(find(program).toString()));
        command.addAll(List.of(arguments));
        try {
            Path directory = Files.createTempDirectory("elastic-run-slurm-");
            try {
                return run(directory, input, program, command);
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + program, e);
        }
    }

    // Through files: no thread is needed for a pipe, and no output can be too much for one.
    private Result run(Path directory, String input, String program, List<String> command) throws IOException {
        Path in = Files.writeString(directory.resolve("in"), input);
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = false;
        try {
            ended = process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SchedulerException(List.of(program + ": interrupted while it ran"));
        } finally {
            if (!ended) {
                process.destroyForcibly();
            }
        }
        List<String> words = lines(err);
        if (!ended) {
            List<String> violations = new ArrayList<>(List.of(program + ": no answer within " + LIMIT.toSeconds()
                    + " s (expected: Slurm's controller); what it was asked for may still be done"));
            violations.addAll(words);
            throw new SchedulerException(violations);
        }
        if (process.exitValue() != 0) {
            throw new SchedulerException(
                    words.isEmpty() ? List.of(program + ": exit code " + process.exitValue()) : words);
        }
        return new Result(read(out), words);
    }

    private Path find(String program) {
        for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Optional<Path> found = executable(directory, program);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw SchedulerException.of(
                program, "not found", "Slurm's commands on the PATH, as on a login node of a cluster");
    }

    private static Optional<Path> executable(String directory, String program) {
        try {
            return Optional.of(Path.of(directory).resolve(program))
                    .filter(file -> !directory.isEmpty() && Files.isRegularFile(file) && Files.isExecutable(file));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return read(file)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    // Output may have bytes that mean nothing in UTF-8, such as names of other users' jobs.
    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    private static void delete(Path directory) throws IOException {
        for (String name : List.of("in", "out", "err")) {
            Files.deleteIfExists(directory.resolve(name));
        }
        Files.delete(directory);
    }
}
