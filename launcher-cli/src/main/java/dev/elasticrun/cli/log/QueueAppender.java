/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

/** Hands lines of the log to a queue, so that no thread that logs waits for a console. */
final class QueueAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
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
