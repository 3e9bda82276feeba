/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;

/** The files of the page, from the jar. */
final class StaticFiles implements Route {
    private static final String HTML = "text/html; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    /** Nothing else is served, whatever is in the jar. */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("/", HTML),
            Map.entry("/page.css", "text/css; charset=utf-8"),
            Map.entry("/icon.svg", "image/svg+xml"),
            Map.entry("/main.js", SCRIPT),
            Map.entry("/live.js", SCRIPT),
            Map.entry("/words.js", SCRIPT),
            Map.entry("/glance.js", SCRIPT),
            Map.entry("/timeline.js", SCRIPT),
            Map.entry("/ranks.js", SCRIPT),
            Map.entry("/incidents.js", SCRIPT),
            Map.entry("/logs.js", SCRIPT),
            Map.entry("/actions.js", SCRIPT),
            Map.entry("/key.js", SCRIPT),
            Map.entry("/dom.js", SCRIPT));

    @Override
    public void answer(Exchange exchange) throws IOException {
        String type = TYPES.get(exchange.path());
        if (type == null) {
            exchange.answerText(Exchange.NOT_FOUND, exchange.path() + ": there is no such page");
        } else if (!exchange.method().equals("GET") && !exchange.method().equals("HEAD")) {
            exchange.answerText(Exchange.METHOD_NOT_ALLOWED, exchange.method() + " (expected: GET)");
        } else {
            exchange.answer(Exchange.OK, type, read(exchange.path()));
        }
    }

    /** A link on another site leads here; the files say nothing of the run. */
    @Override
    public boolean forOtherSites() {
        return true;
    }

    private static byte[] read(String path) throws IOException {
        String name = path.equals("/") ? "index.html" : path.substring(1);
        try (InputStream in = Objects.requireNonNull(StaticFiles.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }
}
