/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One port, and what is served on it. Accepts only what a page of our own, or a user, may ask, and sets the headers
 * that isolate a page. Requests run on threads {@code http-N}, and one {@code http} accepts; all end with {@link
 * #close}. Safe for use by any thread.
 */
public final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** Pages that are open hold one each; a few more answer short requests. */
    private static final int MAX_THREADS = 32;

    private static final int BACKLOG = 64;
    private static final int MAX_REQUEST_SECONDS = 10;
    private static final int MAX_IDLE = 64;
    private static final int MAX_CONNECTIONS = 256;
    private static final long IDLE_SECONDS = 30;
    private static final Duration ANSWER = Duration.ofSeconds(60);

    static {
        // The server writes headers and body apart, and the body would wait for 40 ms, until the caller's system
        // acknowledges the headers. Read when the first server is made.
        String noDelay = "sun.net.httpserver.nodelay";
        System.setProperty(noDelay, System.getProperty(noDelay, "true"));
        // A request that is not finished keeps a thread. What limits answers is Patience, as some are streams.
        limit("sun.net.httpserver.maxReqTime", MAX_REQUEST_SECONDS);
        limit("sun.net.httpserver.maxIdleConnections", MAX_IDLE);
        limit("jdk.httpserver.maxConnections", MAX_CONNECTIONS);
    }

    private static void limit(String property, int value) {
        System.setProperty(property, System.getProperty(property, Integer.toString(value)));
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final HostNames names;
    private final boolean secure;
    private final Patience patience;

    /** What answers requests for a path. Called by several threads at once; may block. */
    @FunctionalInterface
    public interface Route {

        /** Answers the exchange. An exception that leaves it is logged, and the caller gets status 500. */
        void answer(Exchange exchange) throws IOException;
    }

    /** Which requests a path answers. */
    public enum Access {
        /** Those that came by a name of this machine, and not from the page of another site. */
        OWN_SITE,
        /** Also what other sites have a browser ask for: nothing that is served is changed or read by that. */
        ANY_SITE,
        /** Also those that came by any other name of this host; not from another site. */
        ANY_NAME
    }

    private HttpListener(
            HttpServer server, ExecutorService threads, HostNames names, boolean secure, Patience patience) {
        this.server = server;
        this.threads = threads;
        this.names = names;
        this.secure = secure;
        this.patience = patience;
    }

    /**
     * Binds the port; nothing is served before {@link #start}.
     *
     * @param port 0 = any that is free
     * @param names by which browsers may call this server besides addresses
     * @param tls of the server; null = plain HTTP
     * @throws BindException that names the address
     */
    public static HttpListener bind(String host, int port, HostNames names, @Nullable SSLContext tls)
            throws IOException {
        return bind(host, port, names, tls, ANSWER);
    }

    /** @param answer how long a caller may take for an answer, or for a piece of one that is a stream */
    static HttpListener bind(String host, int port, HostNames names, @Nullable SSLContext tls, Duration answer)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new BindException("nobody knows the host " + host);
        }
        HttpServer server = create(address, tls);
        AtomicInteger count = new AtomicInteger();
        ExecutorService threads = new ThreadPoolExecutor(
                0,
                MAX_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> Daemons.of("http-" + count.incrementAndGet(), task));
        server.setExecutor(threads);
        return new HttpListener(server, threads, names, tls != null, new Patience(answer));
    }

    private static HttpServer create(InetSocketAddress address, @Nullable SSLContext tls) throws IOException {
        try {
            if (tls == null) {
                return HttpServer.create(address, BACKLOG);
            }
            HttpsServer server = HttpsServer.create(address, BACKLOG);
            server.setHttpsConfigurator(new HttpsConfigurator(tls));
            return server;
        } catch (BindException e) {
            BindException named = new BindException("cannot listen on " + address.getHostString() + " port "
                    + address.getPort() + ": " + e.getMessage());
            named.initCause(e);
            throw named;
        }
    }

    /** The path and what is below it, for callers as {@link Access#OWN_SITE} has them. */
    public void serve(String path, Route route) {
        serve(path, Access.OWN_SITE, route);
    }

    /** The path and what is below it. */
    public void serve(String path, Access access, Route route) {
        server.createContext(path, raw -> answer(raw, path, access, route));
    }

    /** @throws IOException else the server would count the connection for ever */
    private void answer(HttpExchange raw, String path, Access access, Route route) throws IOException {
        Exchange exchange = new Exchange(raw, patience);
        try {
            protect(exchange);
            if (!refused(exchange, access)) {
                route.answer(exchange);
            }
        } catch (IOException gone) {
            LOG.debug("{} {} was not answered to its end: {}", exchange.method(), path, gone.toString());
            throw gone;
        } catch (RuntimeException e) {
            if (threads.isShutdown()) {
                // Its thread was interrupted: whatever it waited for has failed.
                LOG.debug("{} {} was not answered: this agent ends", exchange.method(), path, e);
                throw new IOException("the agent ends", e);
            }
            LOG.error("{} {} failed", exchange.method(), exchange.path(), e);
            if (!exchange.begun()) {
                exchange.answerText(500, "this agent made an error; its log has more");
            }
        } finally {
            exchange.end();
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

    private boolean refused(Exchange exchange, Access access) throws IOException {
        String host = exchange.header("Host").orElse("");
        if (access != Access.ANY_NAME && !names.admits(host)) {
            exchange.answerText(
                    Exchange.FORBIDDEN,
                    "Host: " + host + " (expected: localhost, an address, or the name of this machine)");
            return true;
        }
        if (access != Access.ANY_SITE && !fromOwnSite(exchange, host)) {
            exchange.answerText(Exchange.FORBIDDEN, "another site asked for this (expected: the page of this agent)");
            return true;
        }
        return false;
    }

    // Browsers send the site that asks, old ones at least with any request that is not a plain read.
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

    /** Serves what was given so far and from now on. */
    public void start() {
        // The thread that accepts is made by the server, and takes its name and kind from the one that starts it.
        Thread starter = Daemons.start("http", server::start);
        try {
            starter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** What browsers put before the address. */
    public String scheme() {
        return secure ? "https" : "http";
    }

    /** Ends open answers, too. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        patience.close();
    }
}
