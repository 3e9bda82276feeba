/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import dev.elasticrun.cli.text.PlainText;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

/** {@code HH:mm:ss.SSS LEVEL message}, and the stack of an exception below it. */
final class LogLine extends LayoutBase<ILoggingEvent> {
    private static final int MAX_MESSAGE = 8192;
    private static final int MAX_STACK = 64 * 1024;

    private final ZoneId zone = ZoneId.systemDefault();

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line =
                start(LocalTime.ofInstant(Instant.ofEpochMilli(event.getTimeStamp()), zone), event.getLevel());
        line.append(PlainText.block(event.getFormattedMessage(), MAX_MESSAGE)).append(System.lineSeparator());
        if (event.getThrowableProxy() != null) {
            line.append("    ")
                    .append(PlainText.block(ThrowableProxyUtil.asString(event.getThrowableProxy()), MAX_STACK))
                    .append(System.lineSeparator());
        }
        return line.toString();
    }

    /** A line that did not come through the logging library. */
    static String now(Level level, String message) {
        return start(LocalTime.now(ZoneId.systemDefault()), level)
                .append(message)
                .append(System.lineSeparator())
                .toString();
    }

    private static StringBuilder start(LocalTime time, Level level) {
        StringBuilder line = new StringBuilder(128);
        digits(line, time.getHour(), 2).append(':');
        digits(line, time.getMinute(), 2).append(':');
        digits(line, time.getSecond(), 2).append('.');
        digits(line, time.getNano() / 1_000_000, 3).append(' ');
        return line.append(level).append(' ');
    }

    private static StringBuilder digits(StringBuilder line, int value, int count) {
        String text = Integer.toString(value);
        return line.append("0".repeat(count - text.length())).append(text);
    }
}
