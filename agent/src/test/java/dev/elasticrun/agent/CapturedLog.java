/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What a class logs during a test. */
public final class CapturedLog implements BeforeEachCallback, AfterEachCallback {
    private final Logger log;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    public CapturedLog(Class<?> logging) {
        log = (Logger) LoggerFactory.getLogger(logging);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        appender.start();
        log.addAppender(appender);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        log.detachAppender(appender);
    }

    /** In the order in which it was logged. */
    public List<ILoggingEvent> events() {
        return List.copyOf(appender.list);
    }

    public List<String> messages() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
