/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** What only who knows the run's key may ask: POST of a small JSON object, with a proof in its headers. */
final class ProvenRoute implements Route {
    static final String CHALLENGE = "Elastic-Run-Challenge";
    static final String PROOF = "Elastic-Run-Proof";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final KeyGate gate;
    private final PageSource source;
    private final Body body;

    /** What is done for who passed. */
    @FunctionalInterface
    interface Body {
        /**
         * @return what becomes the JSON of the answer
         * @throws IllegalArgumentException that says what was expected
         */
        Object answer(JsonNode request) throws IOException;
    }

    ProvenRoute(KeyGate gate, PageSource source, Body body) {
        this.gate = gate;
        this.source = source;
        this.body = body;
    }

    @Override
    public void answer(Exchange exchange) throws IOException {
        if (!exchange.method().equals("POST")) {
            exchange.answerText(Exchange.METHOD_NOT_ALLOWED, exchange.method() + " (expected: POST)");
            return;
        }
        Optional<byte[]> request = exchange.body();
        if (request.isEmpty()) {
            exchange.answerText(Exchange.TOO_LARGE, "the request is too large");
            return;
        }
        boolean knowsKey = gate.passes(
                exchange.header(CHALLENGE).orElse(""),
                exchange.header(PROOF).orElse(""),
                exchange.method(),
                exchange.path(),
                request.get());
        if (!knowsKey) {
            source.refused(exchange.path(), exchange.caller());
            exchange.answerText(Exchange.UNAUTHORIZED, "the caller does not know the key of this run");
            return;
        }
        Object answer;
        try {
            answer = body.answer(JSON.readTree(request.get()));
        } catch (IllegalArgumentException | IOException e) {
            exchange.answerJson(
                    Exchange.BAD_REQUEST, JSON.writeValueAsBytes(Map.of("error", String.valueOf(e.getMessage()))));
            return;
        }
        exchange.answerJson(Exchange.OK, JSON.writeValueAsBytes(answer));
    }
}
