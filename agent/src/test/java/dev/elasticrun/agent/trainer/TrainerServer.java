/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trainer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.elasticrun.agent.tls.TlsFixture;
import dev.elasticrun.worker.contract.TlsFiles;
import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/** An HTTPS server in the place of Trainer's, with the files that Trainer mounts. */
public final class TrainerServer implements AutoCloseable {
    private static final String PATH = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/xgb/status";

    private final Path directory;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private volatile int code = 200;
    private volatile String words = "{}";

    /** A request, in short. */
    public record Received(String line, String authorization, String type, String body) {}

    private TrainerServer(Path directory, HttpsServer server) {
        this.directory = directory;
        this.server = server;
    }

    /**
     * Starts one that has a certificate for these hosts.
     *
     * @param directory for the files
     */
    public static TrainerServer start(Path directory, List<String> hosts) throws IOException {
        TlsMaterial identity = TlsFixture.authority("trainer").issue("trainer", hosts);
        TlsFixture.write(directory, identity);
        Files.writeString(directory.resolve("token"), "first\n");
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TrainerServer started = new TrainerServer(directory, server);
        server.setHttpsConfigurator(new HttpsConfigurator(context(identity)));
        server.setExecutor(started.threads);
        server.createContext(PATH, started::answer);
        server.start();
        return started;
    }

    private static SSLContext context(TlsMaterial identity) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {identity.keyManager()}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            received.add(new Received(
                    exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    new String(body, StandardCharsets.UTF_8)));
            byte[] answer = words.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    /** Answers like this from now on. */
    public void answerWith(int newCode, String newWords) {
        words = newWords;
        code = newCode;
    }

    /** As Trainer sets them. */
    public Map<String, String> environment() {
        return Map.of(
                "KUBEFLOW_TRAINER_SERVER_URL",
                url().toString(),
                "KUBEFLOW_TRAINER_SERVER_CA_CERT",
                TlsFiles.in(directory).authorities().toString(),
                "KUBEFLOW_TRAINER_SERVER_TOKEN",
                token().toString());
    }

    public TrainerEndpoint endpoint() {
        return TrainerEndpoint.of(environment()).orElseThrow();
    }

    public Path token() {
        return directory.resolve("token");
    }

    private URI url() {
        return URI.create("https://127.0.0.1:" + server.getAddress().getPort() + PATH);
    }

    /** What has come, in that order; the caller takes it out. */
    public BlockingQueue<Received> received() {
        return received;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
