/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;

/** Events of the logging library, in the style of this log. */
final class LogLine extends LayoutBase<ILoggingEvent> {
    private final LogStyle style;

    LogLine(LogStyle style) {
        this.style = style;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        return style.line(
                Instant.ofEpochMilli(event.getTimeStamp()),
                event.getLevel(),
                event.getFormattedMessage(),
                event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }

    /** A line that did not come through the logging library. */
    static String now(LogStyle style, Level level, String message) {
        return style.line(Instant.now(), level, message, "");
    }
}
