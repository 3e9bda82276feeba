/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where etcd's programs are; fetched when first asked for, by whichever test process asks first. */
final class EtcdBinaries {
    private static final String SCRIPT = ".config/fetch-etcd";

    private EtcdBinaries() {}

    private static final class Fetched {
        private static final Path DIRECTORY = fetch();
        private static final boolean CAN_SKIP_SYNC =
                run(List.of(DIRECTORY.resolve("etcd").toString(), "--help")).contains("--unsafe-no-fsync");
    }

    static Path directory() {
        return Fetched.DIRECTORY;
    }

    static boolean canSkipSync() {
        return Fetched.CAN_SKIP_SYNC;
    }

    private static Path fetch() {
        Path root = root();
        String answer = run(List.of(
                root.resolve(SCRIPT).toString(),
                root.resolve("target").resolve("etcd").toString()));
        return Path.of(answer.strip());
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

    private static String run(List<String> command) {
        try {
            Path errors = Files.createTempFile("etcd-fetch", ".log");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectError(errors.toFile())
                        .start();
                String output = new String(process.getInputStream().readAllBytes(), UTF_8);
                int exit = process.waitFor();
                String said = Files.readString(errors);
                if (exit != 0) {
                    throw new IllegalStateException(command.get(0) + " ended with " + exit + ": " + said.strip());
                }
                // etcd prints its help to either.
                return output.isEmpty() ? said : output;
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
}
