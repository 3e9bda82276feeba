/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets in only what a page of our own, or a person, may ask, and puts the headers on that keep a page to itself. */
final class RouteHandler implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(RouteHandler.class);
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final String path;
    private final Route route;
    private final HostNames names;
    private final Patience patience;

    RouteHandler(String path, Route route, HostNames names, Patience patience) {
        this.path = path;
        this.route = route;
        this.names = names;
        this.patience = patience;
    }

    /** @throws IOException else the server would count the connection for ever */
    @Override
    public void handle(HttpExchange raw) throws IOException {
        Exchange exchange = new Exchange(raw, patience);
        try {
            protect(exchange);
            if (refused(exchange)) {
                return;
            }
            route.answer(exchange);
        } catch (IOException gone) {
            LOG.debug("{} {} was not answered to its end: {}", exchange.method(), path, gone.toString());
            throw gone;
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", exchange.method(), exchange.path(), e);
            fail(exchange);
        } finally {
            exchange.end();
        }
    }

    private boolean refused(Exchange exchange) throws IOException {
        String host = exchange.header("Host").orElse("");
        if (!route.byAnyName() && !names.admits(host)) {
            exchange.answerText(
                    Exchange.FORBIDDEN,
                    "Host: " + host + " (expected: localhost, an address, or the name of this machine)");
            return true;
        }
        if (!route.forOtherSites() && !fromOwnSite(exchange, host)) {
            exchange.answerText(Exchange.FORBIDDEN, "another site asked for this (expected: the page of this agent)");
            return true;
        }
        return false;
    }

    /** Browsers tell who asks, old ones at least with anything that is not a plain reading. */
    private static boolean fromOwnSite(Exchange exchange, String host) {
        boolean site = exchange.header("Sec-Fetch-Site").map(OWN_SITE::contains).orElse(true);
        boolean origin = exchange.header("Origin")
                .map(value -> host.equalsIgnoreCase(authority(value)))
                .orElse(true);
        return site && origin;
    }

    private static String authority(String origin) {
        try {
            String authority = URI.create(origin).getAuthority();
            return authority == null ? "" : authority;
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static void protect(Exchange exchange) {
        exchange.setHeader("Content-Security-Policy", POLICY);
        exchange.setHeader("X-Content-Type-Options", "nosniff");
        exchange.setHeader("Referrer-Policy", "no-referrer");
        exchange.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        exchange.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        exchange.setHeader("Cache-Control", "no-store");
    }

    private static void fail(Exchange exchange) throws IOException {
        if (!exchange.begun()) {
            exchange.answerText(500, "this agent made an error; its log has more");
        }
    }
}
