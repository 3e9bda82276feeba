/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import java.io.IOException;
import java.util.function.Function;

/** Metrics at {@code /metrics}. */
public final class MetricsRoute implements Route {
    public static final String PATH = "/metrics";

    private final Function<String, Text> scrape;
    private final boolean loopback;

    /**
     * @param scrape makes the text; called by several threads, may block
     * @param loopback whether only this machine can ask
     */
    public MetricsRoute(Function<String, Text> scrape, boolean loopback) {
        this.scrape = scrape;
        this.loopback = loopback;
    }

    /** @param type for the header {@code Content-Type} */
    public record Text(String type, byte[] bytes) {}

    @Override
    public void answer(Exchange exchange) throws IOException {
        if (!exchange.path().equals(PATH)) {
            exchange.answerText(Exchange.NOT_FOUND, exchange.path() + " (expected: " + PATH + ")");
            return;
        }
        Text text = scrape.apply(exchange.header("Accept").orElse(""));
        exchange.answer(Exchange.OK, text.type(), text.bytes());
    }

    /** A metrics system of another host uses whatever name its network has for this one. */
    @Override
    public boolean byAnyName() {
        return !loopback;
    }
}
