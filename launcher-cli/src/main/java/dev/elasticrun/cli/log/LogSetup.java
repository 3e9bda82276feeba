/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.elasticrun.agent.config.LogFormat;
import dev.elasticrun.agent.config.LogLevel;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the command logs: one line to standard error, which no thread but the writer's waits for. In code, since a file of
 * XML costs more time than all else here. A program that embeds the launcher and configures Logback itself, by
 * {@code logback.configurationFile} or a {@code logback.xml} on its class path, keeps its configuration.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    /** System property: {@code true} in an agent that has the class path of another program, whose files do not count. */
    public static final String OWN_LOG = "elasticrun.own-log";

    private static final String OURS = "dev.elasticrun";
    private static final List<String> CONFIGURATION_FILES = List.of("logback-test.xml", "logback.xml");
    // Referenced here, since the settings of a logger without a strong reference are lost.
    private static final java.util.logging.Logger GRPC = java.util.logging.Logger.getLogger("io.grpc");
    private static final java.util.logging.Logger TELEMETRY = java.util.logging.Logger.getLogger("io.opentelemetry");

    private static volatile LogLevel least = LogLevel.INFO;
    private static volatile LogFormat format = LogFormat.TEXT;
    private static volatile boolean colours;
    private static volatile @Nullable LogOrigin origin;

    /** Called by the logging library, which finds this class by its name. */
    public LogSetup() {}

    /**
     * Takes effect if no logger exists yet.
     *
     * @param environment whose variables decide about colours
     */
    public static void choose(LogLevel level, LogFormat lines, Map<String, String> environment) {
        least = level;
        format = lines;
        colours = Colours.areWanted(environment, Terminal.is(Terminal.ERROR));
    }

    static boolean isText() {
        return format == LogFormat.TEXT;
    }

    /** Lines state from now on, where they have fields, whose they are. */
    static void origin(String runId, String nodeId) {
        origin = new LogOrigin(runId, nodeId);
    }

    static LogStyle style() {
        ZoneId zone = ZoneId.systemDefault();
        return format == LogFormat.JSON
                ? new JsonStyle(zone, () -> Optional.ofNullable(origin))
                : new TextStyle(zone, colours);
    }

    /** A report of several lines: as it is, or as one object. */
    static String report(boolean failed, String text) {
        return format == LogFormat.JSON
                ? LogLine.now(style(), failed ? Level.ERROR : Level.INFO, text.stripTrailing())
                : text;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (!Boolean.getBoolean(OWN_LOG) && isConfiguredByTheProgram()) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        LogLine line = new LogLine(style());
        line.setContext(context);
        line.start();
        QueueAppender console = new QueueAppender(LogOutput.queue(), line);
        console.setContext(context);
        console.setName("stderr");
        console.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(least == LogLevel.ERROR ? Level.ERROR : Level.WARN);
        root.addAppender(console);
        // gRPC logs by the JDK, with a stack trace for each address that it tries; its callers report failures.
        GRPC.setLevel(least == LogLevel.DEBUG ? java.util.logging.Level.INFO : java.util.logging.Level.SEVERE);
        // So does OpenTelemetry, whatever it could not send each time; the agent reports that once.
        TELEMETRY.setLevel(least == LogLevel.DEBUG ? java.util.logging.Level.INFO : java.util.logging.Level.OFF);
        context.getLogger(OURS).setLevel(Level.toLevel(least.name()));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static boolean isConfiguredByTheProgram() {
        ClassLoader loader = LogSetup.class.getClassLoader();
        return System.getProperty("logback.configurationFile") != null
                || CONFIGURATION_FILES.stream().anyMatch(file -> loader.getResource(file) != null);
    }

    /** Hands lines of the log to a queue, so that no thread that logs waits for a console. */
    private static final class QueueAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
        private final LogQueue queue;
        private final Layout<ILoggingEvent> layout;

        QueueAppender(LogQueue queue, Layout<ILoggingEvent> layout) {
            this.queue = queue;
            this.layout = layout;
        }

        @Override
        protected void append(ILoggingEvent event) {
            queue.offer(System.err, layout.doLayout(event));
        }
    }
}
