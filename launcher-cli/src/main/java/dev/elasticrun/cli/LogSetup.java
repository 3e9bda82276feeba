/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.io.PrintStream;
import java.time.Duration;

/**
 * How the command logs: one line to standard error, which no thread but the writer's waits for. In code, since a file of
 * XML costs more time than all else here.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    private static final String OURS = "dev.elasticrun";
    private static final int QUEUE_BYTES = 1 << 20;
    /** A terminal that is stopped, or a pipe that nobody reads, holds up the end no longer. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final LogQueue QUEUE = LogQueue.start(
            QUEUE_BYTES,
            dropped -> LogLine.now(
                    Level.WARN, dropped + " lines of the log were dropped here: standard error took no more"));

    private static volatile boolean verbose;

    /** Called by the logging library, which finds this class by its name. */
    public LogSetup() {}

    /** Takes effect if no logger exists yet. */
    static void verbose(boolean value) {
        verbose = value;
    }

    /** Prints behind what was logged so far; waits for a stream that takes nothing no longer than 3 s. */
    static void print(PrintStream to, String text) {
        QUEUE.insist(to, text);
        flush();
    }

    /** Waits until what was logged so far is written, for a stream that takes nothing no longer than 3 s. */
    static void flush() {
        QUEUE.flush(PATIENCE);
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        LogLine line = new LogLine();
        line.setContext(context);
        line.start();
        QueueAppender console = new QueueAppender(QUEUE, line);
        console.setContext(context);
        console.setName("stderr");
        console.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        context.getLogger(OURS).setLevel(verbose ? Level.DEBUG : Level.INFO);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
