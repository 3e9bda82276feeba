/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.history;

import dev.elasticrun.agent.http.Exchange;
import dev.elasticrun.agent.http.HostNames;
import dev.elasticrun.agent.http.HttpListener;
import dev.elasticrun.agent.http.PastPage;
import dev.elasticrun.agent.past.PastPicture;
import dev.elasticrun.cli.client.EventFiles;
import dev.elasticrun.cli.runs.HostRuns;
import dev.elasticrun.cli.runs.RunSummary;
import dev.elasticrun.cli.runs.WorkerLog;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** Pages about all runs below a log directory. Files are read for each request. Safe for use by any thread. */
public final class HistoryServer implements AutoCloseable {
    private static final String RUNS = "/run/";
    private static final String LOG = "api/log";
    private static final String DOWNLOAD = "api/download";

    private final Path logs;
    private final HttpListener listener;

    private HistoryServer(Path logs, HttpListener listener) {
        this.logs = logs;
        this.listener = listener;
    }

    /**
     * Serves until it is closed.
     *
     * @param logs a directory below which each run has one
     * @param port 0 = any that is free
     * @throws IOException when the port cannot be bound
     */
    public static HistoryServer open(Path logs, String host, int port) throws IOException {
        HistoryServer server =
                new HistoryServer(logs, HttpListener.bind(host, port, HostNames.of(List.of(host, ownName())), null));
        server.listener.serve("/", HttpListener.Access.ANY_SITE, server::file);
        server.listener.serve(RUNS, server::run);
        server.listener.start();
        return server;
    }

    private static String ownName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }

    public int port() {
        return listener.port();
    }

    private List<RunSummary> runs() {
        return HostRuns.below(logs);
    }

    private void file(Exchange exchange) throws IOException {
        if (exchange.path().equals("/") && exchange.reads()) {
            byte[] page = IndexPage.of(logs.toString(), runs(), Instant.now(), ZoneId.systemDefault())
                    .getBytes(StandardCharsets.UTF_8);
            exchange.answer(Exchange.OK, "text/html; charset=utf-8", page);
        } else {
            PastPage.answerFile(exchange, exchange.path().substring(1));
        }
    }

    private void run(Exchange exchange) throws IOException {
        String below = exchange.path().substring(RUNS.length());
        int slash = below.indexOf('/');
        Optional<Path> run = slash < 0 ? Optional.empty() : find(below.substring(0, slash));
        if (run.isEmpty()) {
            exchange.answerText(Exchange.NOT_FOUND, exchange.path() + " (expected: " + RUNS + "NAME/ of a run here)");
            return;
        }
        String part = below.substring(slash + 1);
        if (part.equals(LOG) || part.equals(DOWNLOAD)) {
            log(exchange, run.get(), part.equals(DOWNLOAD));
        } else {
            PastPage.answer(exchange, part, () -> page(run.get()));
        }
    }

    private Optional<Path> find(String name) {
        return EventFiles.runs(logs).stream()
                .filter(run -> String.valueOf(run.getFileName()).equals(name) && EventFiles.hasEvents(run))
                .findFirst();
    }

    private static PastPage page(Path run) {
        PastPicture picture = new PastPicture();
        EventFiles.forEach(run, picture);
        return new PastPage(
                picture.picture(String.valueOf(run.getFileName()), HostRuns.isLive(run)),
                WorkerLog.of(run).stream().map(HistoryServer::file).toList(),
                picture.curves());
    }

    private static PastPage.LogFile file(WorkerLog log) {
        String[] worker = log.worker().split("\\.", 2);
        return new PastPage.LogFile(
                log.name(),
                log.node(),
                number(worker[0]),
                number(worker[worker.length - 1]),
                log.stream(),
                log.bytes());
    }

    private static int number(String text) {
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
    }

    private static void log(Exchange exchange, Path run, boolean isWhole) throws IOException {
        String name = exchange.parameter("file").orElse("");
        // Only names of files that are there are known: a name leads nowhere else.
        Optional<WorkerLog> log = WorkerLog.of(run).stream()
                .filter(one -> one.name().equals(name))
                .findFirst();
        if (!exchange.reads()) {
            exchange.answerText(Exchange.METHOD_NOT_ALLOWED, exchange.method() + " (expected: GET)");
        } else if (log.isEmpty()) {
            exchange.answerText(Exchange.NOT_FOUND, "file: " + name + " (expected: one that the page lists)");
        } else if (isWhole) {
            download(exchange, log.get());
        } else {
            LogSearch search = new LogSearch(exchange.parameter("q").orElse(""));
            log.get().forEachLine(search);
            PastPage.answer(exchange, search.text());
        }
    }

    private static void download(Exchange exchange, WorkerLog log) throws IOException {
        String file = log.name().replace('/', '-').replaceAll("[^A-Za-z0-9._-]", "_");
        exchange.setHeader("Content-Disposition", "attachment; filename=\"" + file + "\"");
        if (exchange.method().equals("HEAD")) {
            exchange.answer(Exchange.OK, "text/plain; charset=utf-8", new byte[0]);
            return;
        }
        try (OutputStream out = exchange.stream("text/plain; charset=utf-8")) {
            for (Path part : log.parts()) {
                Files.copy(part, out);
            }
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
