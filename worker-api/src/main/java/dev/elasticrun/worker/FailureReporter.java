/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.ErrorReport;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports an uncaught exception to the agent before the process ends, which can take long. The end of the main thread,
 * or of the one that made this object, is the end of the worker; another thread only leaves its report, unless there is
 * one.
 */
final class FailureReporter implements Thread.UncaughtExceptionHandler {
    private final Thread user = Thread.currentThread();
    private final Optional<Path> errorFile;
    private final Consumer<UpMessage> up;
    private final LongSupplier round;
    private final Thread.@Nullable UncaughtExceptionHandler previous;

    FailureReporter(
            Optional<Path> errorFile,
            Consumer<UpMessage> up,
            LongSupplier round,
            Thread.@Nullable UncaughtExceptionHandler previous) {
        this.errorFile = errorFile;
        this.up = up;
        this.round = round;
        this.previous = previous;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        ErrorReport report =
                ErrorReport.of(failure, thread.getName(), Clock.systemUTC().instant(), round.getAsLong());
        boolean isMain = thread.equals(user) || thread.getName().equals("main");
        errorFile.filter(file -> isMain || !Files.exists(file)).ifPresent(file -> write(report, file));
        if (isMain) {
            up.accept(new UpMessage.Failure(report.message(), report.stack()));
        }
        if (previous != null) {
            previous.uncaughtException(thread, failure);
        } else {
            PrintStream err = System.err;
            err.print("Exception in thread \"" + thread.getName() + "\" " + report.stack());
        }
    }

    private static void write(ErrorReport report, Path file) {
        try {
            report.writeTo(file);
        } catch (IOException e) {
            System.getLogger(FailureReporter.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot write " + file + ": " + e);
        }
    }
}
