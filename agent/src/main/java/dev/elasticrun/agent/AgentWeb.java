/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.config.ListenAddress;
import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.control.CommandDesk;
import dev.elasticrun.agent.control.RunStatus;
import dev.elasticrun.agent.http.Exchange;
import dev.elasticrun.agent.http.HostNames;
import dev.elasticrun.agent.http.HttpListener;
import dev.elasticrun.agent.http.KeyGate;
import dev.elasticrun.agent.http.Page;
import dev.elasticrun.agent.launch.HttpOptions;
import dev.elasticrun.agent.metrics.MetricsRegistry;
import dev.elasticrun.agent.observe.RunObserver;
import dev.elasticrun.agent.store.RunFile;
import dev.elasticrun.agent.telemetry.Telemetry;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.agent.web.AgentMetrics;
import dev.elasticrun.agent.web.PageCommands;
import dev.elasticrun.agent.web.RecentRun;
import dev.elasticrun.agent.web.RunCurves;
import dev.elasticrun.agent.web.RunHistory;
import dev.elasticrun.agent.web.RunPictures;
import dev.elasticrun.agent.worker.CurveLog;
import dev.elasticrun.proto.NodeCurves;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what this agent serves over HTTP, if that is configured. A thread of its own opens it concurrently with the
 * rendezvous, so that it does not delay the start; closed with the agent. Safe for use by any thread.
 */
final class AgentWeb implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentWeb.class);
    private static final String METRICS = "/metrics";
    private static final long OPEN_WAIT_SECONDS = 10;

    private final AgentContext context;
    private final AgentMetrics metrics;
    private final RunObserver observer;
    private final CurveLog curves = new CurveLog(CurveReporter.PERIOD.toMillis());
    private final KeyGate gate = new KeyGate(System::nanoTime);
    private final CompletableFuture<RunFile.Served> addresses = new CompletableFuture<>();
    private final List<HttpListener> listeners = new ArrayList<>();
    private @Nullable Page page;
    private boolean closed;

    /**
     * The sources that a request reads. None of them blocks.
     *
     * @param run what all agents report
     * @param described the run's records in the store
     * @param own what this node's workers do
     * @param events of other nodes
     * @param curves of other nodes' workers
     * @param dropped events that are missing in the event log
     * @param desk receives commands
     * @param refused receives each request without the run's key: its path, and from where it came
     */
    record Sources(
            Supplier<CompletableFuture<RunStatus>> run,
            Supplier<CompletableFuture<RunDescription>> described,
            Supplier<CompletableFuture<NodeReply>> own,
            RunHistory.Agents events,
            RunCurves.Agents curves,
            LongSupplier dropped,
            CommandDesk desk,
            BiConsumer<String, String> refused) {}

    AgentWeb(AgentContext context) {
        this.context = context;
        this.metrics = new AgentMetrics(context, System::nanoTime);
        this.observer = new RunObserver(context.nodeId(), Clock.systemUTC().millis(), System::nanoTime, metrics);
    }

    RunObserver observer() {
        return observer;
    }

    CurveLog curveLog() {
        return curves;
    }

    /** What the workers of this node did until now. */
    NodeCurves curves() {
        return curves.read(observer.millis());
    }

    /**
     * Begins to serve, if there is anything to serve.
     *
     * @param failed receives a message when a port cannot be bound
     */
    void open(Sources sources, Consumer<String> failed) {
        HttpOptions options = context.config().http();
        if (!options.any()) {
            addresses.complete(RunFile.Served.NOTHING);
            return;
        }
        Daemons.start("http-opener", () -> {
            try {
                addresses.complete(serve(options, sources));
            } catch (IOException e) {
                addresses.complete(RunFile.Served.NOTHING);
                failed.accept(
                        e.getMessage() + " (expected: a free port of an address of this machine; 0 takes any port)");
            }
        });
    }

    /** Where the page is; empty if there is none, or none yet. */
    Optional<URI> dashboard() {
        return Optional.of(addresses.getNow(RunFile.Served.NOTHING).dashboard())
                .filter(address -> !address.isEmpty())
                .map(URI::create);
    }

    /** Waits until the ports are bound. */
    RunFile.Served served() {
        try {
            return addresses
                    .copy()
                    .completeOnTimeout(RunFile.Served.NOTHING, OPEN_WAIT_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (RuntimeException e) {
            LOG.warn("what is served over HTTP is not known", e);
            return RunFile.Served.NOTHING;
        }
    }

    private RunFile.Served serve(HttpOptions options, Sources sources) throws IOException {
        HostNames names = HostNames.of(names(options));
        Map<ListenAddress, HttpListener> bound = new LinkedHashMap<>();
        String dashboard = "";
        String metricsUrl = "";
        ListenAddress metricsAt = options.metrics().orElse(null);
        if (metricsAt != null) {
            HttpListener listener = bind(bound, metricsAt, names);
            boolean loopback = InetAddress.getByName(metricsAt.host()).isLoopbackAddress();
            MetricsRegistry<?> registry = metrics.open(metricSources(sources));
            // A metrics system of another host uses whatever name its network has for this one.
            listener.serve(
                    METRICS,
                    loopback ? HttpListener.Access.OWN_SITE : HttpListener.Access.ANY_NAME,
                    exchange -> scrape(registry, exchange));
            metricsUrl = url(listener, metricsAt) + METRICS;
            LOG.info("node={} metrics={}", context.nodeId(), metricsUrl);
        }
        ListenAddress dashboardAt = options.dashboard().orElse(null);
        if (dashboardAt != null) {
            HttpListener listener = bind(bound, dashboardAt, names);
            Page served = page(sources);
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
        return new RunFile.Served(dashboard, metricsUrl);
    }

    /** The metrics that are scraped, to a collector. */
    void send(Sources sources, Telemetry to) {
        metrics.send(metricSources(sources), to);
    }

    private AgentMetrics.Sources metricSources(Sources sources) {
        return new AgentMetrics.Sources(observer, sources.described(), sources.own(), sources.dropped());
    }

    private static void scrape(MetricsRegistry<?> registry, Exchange exchange) throws IOException {
        if (!exchange.path().equals(METRICS)) {
            exchange.answerText(Exchange.NOT_FOUND, exchange.path() + " (expected: " + METRICS + ")");
            return;
        }
        MetricsRegistry.Page text = registry.scrape(exchange.header("Accept").orElse(""));
        exchange.answer(Exchange.OK, text.type(), text.text());
    }

    private Page page(Sources sources) {
        RecentRun<RunStatus> recent = new RecentRun<>(sources.run(), System::nanoTime);
        RunHistory history = new RunHistory(
                context.files().run(), sources.events(), () -> recent.get().map(RunStatus::run), System::nanoTime);
        PageCommands commands = new PageCommands(sources.desk(), context.random());
        RunCurves drawn =
                new RunCurves(context.nodeId(), this::curves, sources.curves(), recent::get, System::nanoTime);
        return new Page(new RunPictures(context, observer, recent, history, drawn, commands, sources.refused()), gate);
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
        List<String> names = new ArrayList<>(List.of(
                context.settings().node().hostLabel(), context.settings().address()));
        options.dashboard().map(ListenAddress::host).ifPresent(names::add);
        options.metrics().map(ListenAddress::host).ifPresent(names::add);
        return names;
    }

    /** Callers that prove to know the key may do more from now on. */
    void joined(byte[] runKey) {
        gate.key(runKey);
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
