/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** Where the API server asks for logs of pods: {@code /containerLogs/NAMESPACE/POD/CONTAINER}, with {@code ?follow=true}. */
final class PodLogServer implements AutoCloseable {
    private static final String PATH = "/containerLogs/";
    private static final Duration LOOK = Duration.ofMillis(50);

    private final HttpsServer server;
    private final ExecutorService requests = Executors.newCachedThreadPool();
    private final Function<String, Optional<PodProcess>> processes;

    private PodLogServer(HttpsServer server, Function<String, Optional<PodProcess>> processes) {
        this.server = server;
        this.processes = processes;
    }

    /**
     * @param identity certificate and key
     * @param processes of a pod, by {@code NAMESPACE/POD}
     */
    static PodLogServer start(SSLContext identity, Function<String, Optional<PodProcess>> processes)
            throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        PodLogServer logs = new PodLogServer(server, processes);
        server.setHttpsConfigurator(new HttpsConfigurator(identity));
        server.setExecutor(logs.requests);
        server.createContext(PATH, logs::answer);
        server.start();
        return logs;
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath().substring(PATH.length());
            Optional<PodProcess> process = processes.apply(path.substring(0, path.lastIndexOf('/')));
            if (process.isEmpty()) {
                exchange.sendResponseHeaders(HttpURLConnection.HTTP_NOT_FOUND, -1);
                return;
            }
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, 0);
            send(process.get(), query.contains("follow=true"), exchange.getResponseBody());
        }
    }

    private static void send(PodProcess process, boolean isFollowed, OutputStream to) throws IOException {
        try (InputStream log = Files.newInputStream(process.log())) {
            boolean isLast;
            do {
                isLast = !isFollowed || !process.isRunning();
                log.transferTo(to);
                to.flush();
                Patience.pause(isLast ? Duration.ZERO : LOOK);
            } while (!isLast);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        requests.shutdownNow();
    }
}
