/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.http.HostNames;
import dev.elasticrun.agent.http.HttpListener;
import dev.elasticrun.agent.http.MetricsRoute;
import dev.elasticrun.agent.http.Page;
import dev.elasticrun.agent.tls.RunTls;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this agent serves over HTTP, if it was asked to serve anything. Opened beside the rendezvous by a thread of its
 * own, so that a start is not slower for it; closed with the agent. Safe for use by any thread.
 */
final class AgentWeb implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentWeb.class);
    private static final long OPEN_WAIT_SECONDS = 10;

    private final AgentContext context;
    private final WebParts parts;
    private final CompletableFuture<Addresses> addresses = new CompletableFuture<>();
    private final List<HttpListener> listeners = new ArrayList<>();
    private @Nullable Page page;
    private boolean closed;

    private AgentWeb(AgentContext context, WebParts parts) {
        this.context = context;
        this.parts = parts;
    }

    /** Where what is served; URLs, empty = nowhere. */
    record Addresses(String dashboard, String metrics) {
        static final Addresses NONE = new Addresses("", "");
    }

    static AgentWeb of(AgentContext context) {
        return new AgentWeb(context, new WebParts(context, Clock.systemUTC().millis(), System::nanoTime));
    }

    RunObserver observer() {
        return parts.observer();
    }

    /**
     * Begins to serve, if there is anything to serve.
     *
     * @param failed told when a port cannot be had
     */
    void open(WebParts.Sources sources, Consumer<String> failed) {
        HttpOptions options = context.config().http();
        if (!options.any()) {
            addresses.complete(Addresses.NONE);
            return;
        }
        Thread opener = new Thread(
                () -> {
                    try {
                        addresses.complete(serve(options, sources));
                    } catch (IOException e) {
                        addresses.complete(Addresses.NONE);
                        failed.accept(e.getMessage()
                                + " (expected: a free port of an address of this machine; 0 takes any port)");
                    }
                },
                "http-opener");
        opener.setDaemon(true);
        opener.start();
    }

    /** Waits until the ports are bound. */
    Addresses addresses() {
        try {
            return addresses
                    .copy()
                    .completeOnTimeout(Addresses.NONE, OPEN_WAIT_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (RuntimeException e) {
            LOG.warn("what is served over HTTP is not known", e);
            return Addresses.NONE;
        }
    }

    private Addresses serve(HttpOptions options, WebParts.Sources sources) throws IOException {
        HostNames names = HostNames.of(names(options));
        Map<ListenAddress, HttpListener> bound = new LinkedHashMap<>();
        String dashboard = "";
        String metrics = "";
        ListenAddress metricsAt = options.metricsAddress();
        if (metricsAt != null) {
            HttpListener listener = bind(bound, metricsAt, names);
            boolean loopback = InetAddress.getByName(metricsAt.host()).isLoopbackAddress();
            listener.serve(MetricsRoute.PATH, parts.metrics(sources, loopback));
            metrics = url(listener, metricsAt) + MetricsRoute.PATH;
            LOG.info("node={} metrics={}", context.nodeId(), metrics);
        }
        ListenAddress dashboardAt = options.dashboardAddress();
        if (dashboardAt != null) {
            HttpListener listener = bind(bound, dashboardAt, names);
            Page served = parts.page(sources);
            served.on(listener);
            synchronized (this) {
                page = served;
            }
            dashboard = url(listener, dashboardAt) + "/";
            LOG.info("node={} dashboard={}", context.nodeId(), dashboard);
        }
        synchronized (this) {
            if (!closed) {
                bound.values().forEach(HttpListener::start);
            }
        }
        return new Addresses(dashboard, metrics);
    }

    private HttpListener bind(ListenAddress at, HostNames names) throws IOException {
        return HttpListener.bind(
                at.host(), at.port(), names, context.tls().map(RunTls::web).orElse(null));
    }

    private HttpListener bind(Map<ListenAddress, HttpListener> bound, ListenAddress at, HostNames names)
            throws IOException {
        HttpListener known = bound.get(at);
        if (known != null) {
            return known;
        }
        HttpListener listener = at.port() == 0
                ? context.place().open(free -> bind(at.withPort(free.getPort()), names))
                : bind(at, names);
        bound.put(at, listener);
        synchronized (this) {
            listeners.add(listener);
        }
        return listener;
    }

    private String url(HttpListener listener, ListenAddress at) throws IOException {
        boolean everywhere = InetAddress.getByName(at.host()).isAnyLocalAddress();
        String host = everywhere ? context.settings().address() : at.host();
        return listener.scheme() + "://" + new ListenAddress(host, listener.port()).text();
    }

    private List<String> names(HttpOptions options) {
        List<String> names = new ArrayList<>(
                List.of(context.settings().hostLabel(), context.settings().address()));
        options.dashboard().map(ListenAddress::host).ifPresent(names::add);
        options.metrics().map(ListenAddress::host).ifPresent(names::add);
        return names;
    }

    /** Callers that prove to know the key may do more from now on. */
    void joined(byte[] runKey) {
        parts.key(runKey);
    }

    @Override
    public void close() {
        List<HttpListener> open;
        Page served;
        synchronized (this) {
            closed = true;
            open = List.copyOf(listeners);
            served = page;
        }
        if (served != null) {
            served.close();
        }
        open.forEach(HttpListener::close);
    }
}
