/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import dev.elasticrun.agent.metrics.MetricsRegistry;
import java.io.IOException;

/** Metrics at {@code /metrics}. */
public final class MetricsRoute implements Route {
    public static final String PATH = "/metrics";

    private final MetricsRegistry<?> metrics;
    private final boolean loopback;

    /** @param loopback whether only this machine can ask */
    public MetricsRoute(MetricsRegistry<?> metrics, boolean loopback) {
        this.metrics = metrics;
        this.loopback = loopback;
    }

    @Override
    public void answer(Exchange exchange) throws IOException {
        if (!exchange.path().equals(PATH)) {
            exchange.answerText(Exchange.NOT_FOUND, exchange.path() + " (expected: " + PATH + ")");
            return;
        }
        MetricsRegistry.Page page = metrics.scrape(exchange.header("Accept").orElse(""));
        exchange.answer(Exchange.OK, page.type(), page.text());
    }

    /** A metrics system of another host uses whatever name its network has for this one. */
    @Override
    public boolean byAnyName() {
        return !loopback;
    }
}
