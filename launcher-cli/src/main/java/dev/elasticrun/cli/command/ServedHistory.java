/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.config.ListenAddress;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.history.HistoryServer;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.signal.SignalHandlers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** {@code elastic-run dashboard --serve}: pages about all runs below a log directory, until a signal comes. */
final class ServedHistory {
    static final String SERVE = "--serve";
    static final String PORT = "--port";

    private static final String ANY_PORT = "0";

    private ServedHistory() {}

    /** @throws UsageException when only a flag of it is given, or one that has no effect with it */
    static boolean isWanted(Invocation call) {
        boolean serves = call.value(SERVE).isPresent();
        if (!serves && call.value(PORT).isPresent()) {
            throw UsageException.of(PORT, call.value(PORT).get(), SERVE + " with it");
        }
        if (serves) {
            call.value("--run-id").ifPresent(run -> {
                throw UsageException.of("--run-id", run, "no run with " + SERVE + ", which serves all");
            });
        }
        return serves;
    }

    static int run(Invocation call) {
        Path logs = directory(call.value(SERVE).orElse(""));
        ListenAddress at = address(call.value(PORT).orElse(ANY_PORT));
        CountDownLatch asked = new CountDownLatch(1);
        List.of("INT", "TERM").forEach(signal -> SignalHandlers.install(signal, asked::countDown));
        try (HistoryServer server = HistoryServer.open(logs, at.host(), at.port())) {
            call.out().println("http://" + at.withPort(server.port()).text() + "/");
            call.out().flush();
            asked.await();
            return ExitCode.SUCCEEDED.code();
        } catch (IOException e) {
            throw UsageException.of(
                    PORT,
                    at.text() + ": " + e.getMessage(),
                    "a free port of an address of this machine; 0 takes any port");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        }
    }

    private static Path directory(String text) {
        try {
            Path logs = Path.of(text);
            if (!text.isEmpty() && Files.isDirectory(logs)) {
                Path real = logs.toRealPath();
                LocalRuns.logDirectoryObjection(real).ifPresent(objection -> {
                    throw UsageException.of(SERVE, text, "a log directory of yours; it " + objection);
                });
                return real;
            }
        } catch (IOException | InvalidPathException unreadable) {
            // The same as one that is not there.
        }
        throw UsageException.of(SERVE, text, "a directory below which each run has one, as --log-dir of a launch");
    }

    private static ListenAddress address(String text) {
        try {
            return ListenAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw UsageException.of(PORT, text, String.valueOf(e.getMessage()));
        }
    }
}
