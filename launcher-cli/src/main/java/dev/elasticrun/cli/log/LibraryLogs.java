/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives what libraries log by {@code java.util.logging} to the agent's log. Their own handler writes to standard error on
 * the thread that logs, and that can be one that must never wait for a console.
 */
public final class LibraryLogs extends Handler {
    private final SimpleFormatter formatter = new SimpleFormatter();

    private LibraryLogs() {
        setLevel(Level.WARNING);
    }

    /** Replaces the handlers that exist. */
    public static void redirect() {
        LogManager.getLogManager().reset();
        java.util.logging.Logger.getLogger("").addHandler(new LibraryLogs());
    }

    @Override
    public void publish(LogRecord entry) {
        if (!isLoggable(entry)) {
            return;
        }
        String name = entry.getLoggerName() == null ? "" : entry.getLoggerName();
        Logger log = LoggerFactory.getLogger(name);
        String message = formatter.formatMessage(entry);
        if (entry.getThrown() == null) {
            log.warn("{}: {}", name, message);
        } else if (log.isDebugEnabled()) {
            log.warn("{}: {}", name, message, entry.getThrown());
        } else {
            log.warn("{}: {}: {}", name, message, entry.getThrown().toString());
        }
    }

    @Override
    public void flush() {
        // The log itself is not held back here.
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
