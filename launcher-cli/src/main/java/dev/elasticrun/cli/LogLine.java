/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

/** {@code HH:mm:ss.SSS LEVEL message}, and the stack of an exception below it. */
final class LogLine extends LayoutBase<ILoggingEvent> {
    private final ZoneId zone = ZoneId.systemDefault();

    @Override
    public String doLayout(ILoggingEvent event) {
        LocalTime time = LocalTime.ofInstant(Instant.ofEpochMilli(event.getTimeStamp()), zone);
        StringBuilder line = new StringBuilder(128);
        digits(line, time.getHour(), 2).append(':');
        digits(line, time.getMinute(), 2).append(':');
        digits(line, time.getSecond(), 2).append('.');
        digits(line, time.getNano() / 1_000_000, 3).append(' ');
        line.append(event.getLevel()).append(' ').append(event.getFormattedMessage());
        line.append(System.lineSeparator());
        if (event.getThrowableProxy() != null) {
            line.append(ThrowableProxyUtil.asString(event.getThrowableProxy())).append(System.lineSeparator());
        }
        return line.toString();
    }

    private static StringBuilder digits(StringBuilder line, int value, int count) {
        String text = Integer.toString(value);
        return line.append("0".repeat(count - text.length())).append(text);
    }
}
