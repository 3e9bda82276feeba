/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;

/** The files of the page: they contain nothing about a run. */
final class PageFiles {
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String INDEX = "index.html";

    /** Nothing else is served, whatever is in the jar. */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("", "text/html; charset=utf-8"),
            Map.entry("page.css", "text/css; charset=utf-8"),
            Map.entry("icon.svg", "image/svg+xml"),
            Map.entry("main.js", SCRIPT),
            Map.entry("live.js", SCRIPT),
            Map.entry("words.js", SCRIPT),
            Map.entry("glance.js", SCRIPT),
            Map.entry("timeline.js", SCRIPT),
            Map.entry("curves.js", SCRIPT),
            Map.entry("scales.js", SCRIPT),
            Map.entry("ranks.js", SCRIPT),
            Map.entry("flame.js", SCRIPT),
            Map.entry("incidents.js", SCRIPT),
            Map.entry("logs.js", SCRIPT),
            Map.entry("files.js", SCRIPT),
            Map.entry("actions.js", SCRIPT),
            Map.entry("key.js", SCRIPT),
            Map.entry("dom.js", SCRIPT));

    private PageFiles() {}

    /** @param name below the address of the page; empty = the page */
    static void answer(Exchange exchange, String name) throws IOException {
        String type = TYPES.get(name);
        if (type == null) {
            exchange.answerText(Exchange.NOT_FOUND, exchange.path() + ": there is no such page");
        } else if (!exchange.reads()) {
            exchange.answerText(Exchange.METHOD_NOT_ALLOWED, exchange.method() + " (expected: GET)");
        } else {
            exchange.answer(Exchange.OK, type, read(name.isEmpty() ? INDEX : name));
        }
    }

    private static byte[] read(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(PageFiles.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }
}
