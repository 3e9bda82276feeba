/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.tls.RunTls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
final class PageTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
    private static final Path FILES = Path.of("src/main/resources/dev/elasticrun/agent/http");

    private final SimulatedRun run = new SimulatedRun(2, 2).pass(500).resume().pass(1000);
    private final KeyGate gate = new KeyGate(System::nanoTime);
    private final Page page = new Page(run, gate);
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpListener listener;

    @BeforeEach
    void serve() throws IOException {
        gate.key(KEY);
        listener = HttpListener.bind("127.0.0.1", 0, HostNames.of(List.of("node-0")), null);
        page.on(listener);
        listener.start();
    }

    @AfterEach
    void close() {
        page.close();
        listener.close();
    }

    @Test
    void files_areServedWithAPolicyThatKeepsThemToThemselves() throws Exception {
        HttpResponse<String> answer = get("/");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }

    @Test
    void files_allThatThePageNames_areThere_andNothingElseIs() throws Exception {
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                String path = name.equals("index.html") ? "/" : "/" + name;
                assertThat(get(path).statusCode()).as(path).isEqualTo(200);
                assertThat(Files.readString(file))
                        .as(name)
                        .doesNotContain("http://1", "https://", "innerHTML", "eval(", "style=")
                        .doesNotContainPattern("(src|href)=\"(http:)?//");
                Matcher imports = Pattern.compile("from '\\./([a-z]+\\.js)'").matcher(Files.readString(file));
                while (imports.find()) {
                    assertThat(FILES.resolve(imports.group(1))).exists();
                }
            }
        }
        assertThat(get("/RunPicture.class").statusCode()).isEqualTo(404);
        assertThat(get("/../pom.xml").statusCode()).isEqualTo(404);
    }

    @Test
    void run_isOpenToWhoReachesThePort_andHoldsNothingSecret() throws Exception {
        HttpResponse<String> answer = get("/api/run");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(new ObjectMapper()
                        .readTree(answer.body())
                        .at("/run/worldSize")
                        .asInt())
                .isEqualTo(4);
        assertThat(answer.body()).doesNotContain(new String(KEY, UTF_8), "environment", "arguments");
    }

    @Test
    void live_reportsWhatChanges_withoutBeingAskedAgain() throws Exception {
        HttpResponse<java.io.InputStream> live =
                client.send(request("/api/live").build(), HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(live.body(), UTF_8))) {
            assertThat(await(lines, "data: ")).contains("\"state\":\"working\"");

            run.fail(3);

            assertThat(await(lines, "data: {")).contains("\"state\":\"recovering\"", "killed by SIGKILL");
            page.close();
            assertThat(await(lines, "event: end")).isNotEmpty();
        }
    }

    private static String await(BufferedReader lines, String prefix) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(prefix)) {
                return line;
            }
        }
        throw new AssertionError("the stream ended before " + prefix);
    }

    @Test
    void live_ofWhichOnlyTheHeadersAreAsked_takesNoPlaceOfAPage() throws Exception {
        for (int i = 0; i < 20; i++) {
            HttpResponse<Void> headers = client.send(
                    request("/api/live")
                            .method("HEAD", HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.discarding());

            assertThat(headers.statusCode()).as("request " + i).isEqualTo(200);
            assertThat(headers.headers().firstValue("Content-Type")).contains("text/event-stream");
        }
        HttpResponse<java.io.InputStream> live =
                client.send(request("/api/live").build(), HttpResponse.BodyHandlers.ofInputStream());
        live.body().close();

        assertThat(live.statusCode()).isEqualTo(200);
    }

    @Test
    void command_withAProof_isDone() throws Exception {
        HttpResponse<String> answer =
                post("/api/command", "{\"command\":\"drain\",\"arguments\":{\"node\":\"node-1\"}}", KEY);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"accepted\":true");
        assertThat(run.commands()).containsExactly("drain{node=node-1}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/command", "/api/log", "/api/key"})
    void request_withAnotherKey_isRefusedAndReported(String path) throws Exception {
        HttpResponse<String> answer = post(path, "{\"command\":\"stop\"}", new byte[32]);

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(run.commands()).isEmpty();
        assertThat(run.refusals()).singleElement().asString().startsWith(path + " from 127.0.0.1");
    }

    @Test
    void proof_isGoodOnce_andForItsOwnRequestOnly() throws Exception {
        String challenge = challenge();
        String body = "{\"command\":\"stop\"}";
        String proof = KeyGate.prove(KEY, challenge, "POST", "/api/command", "{\"command\":\"dump\"}".getBytes(UTF_8));
        assertThat(post("/api/command", body, challenge, proof).statusCode()).isEqualTo(401);

        String other = challenge();
        String good = KeyGate.prove(KEY, other, "POST", "/api/command", body.getBytes(UTF_8));
        assertThat(post("/api/command", body, other, good).statusCode()).isEqualTo(200);
        assertThat(post("/api/command", body, other, good).statusCode()).isEqualTo(401);
        assertThat(run.commands()).hasSize(1);
    }

    @Test
    void log_ofARankThatHasGone_isReportedAndNoError() throws Exception {
        HttpResponse<String> answer = post("/api/log", "{\"rank\":77,\"stream\":\"stdout\"}", KEY);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"missing\":\"rank 77 has no worker now\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "evil.example, , , 403",
        "localhost, , , 200",
        "127.0.0.1:1, http://127.0.0.1:1, same-origin, 200",
        "127.0.0.1:1, http://evil.example, , 403",
        "127.0.0.1:1, null, , 403",
        "127.0.0.1:1, , cross-site, 403",
        "127.0.0.1:1, , same-site, 403",
        "127.0.0.1:1, , none, 200",
    })
    void request_fromAnotherSiteOrByAForeignName_isRefused(
            String host, @Nullable String origin, @Nullable String site, int status) throws Exception {
        assertThat(raw("/api/run", host, origin, site)).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void page_byALinkOfAnotherSite_isServed() throws Exception {
        assertThat(raw("/", "node-0", null, "cross-site")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void page_withCertificatesOfTheRun_isHttps() throws Exception {
        RunTls tls = RunTls.generated("job", "node-0", List.of("127.0.0.1"));
        tls.known(KEY);
        try (HttpListener secure = HttpListener.bind("127.0.0.1", 0, HostNames.of(List.of()), tls.web())) {
            page.on(secure);
            secure.start();
            KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
            known.load(null, null);
            known.setCertificateEntry("run", tls.material().authorities().get(0));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(known);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);

            HttpResponse<String> answer = HttpClient.newBuilder()
                    .sslContext(context)
                    .build()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create(secure.scheme() + "://127.0.0.1:" + secure.port() + "/api/run"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());

            assertThat(secure.scheme()).isEqualTo("https");
            assertThat(answer.statusCode()).isEqualTo(200);
        }
    }

    /** As the JDK's client does not let a caller choose the host. */
    private String raw(String path, String host, @Nullable String origin, @Nullable String site) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
                    + (origin == null ? "" : "Origin: " + origin + "\r\n")
                    + (site == null ? "" : "Sec-Fetch-Site: " + site + "\r\n") + "\r\n";
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body, byte[] key) throws Exception {
        String challenge = challenge();
        return post(path, body, challenge, KeyGate.prove(key, challenge, "POST", path, body.getBytes(UTF_8)));
    }

    private HttpResponse<String> post(String path, String body, String challenge, String proof) throws Exception {
        return client.send(
                request(path)
                        .header(Page.CHALLENGE, challenge)
                        .header(Page.PROOF, proof)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private String challenge() throws Exception {
        return new ObjectMapper()
                .readTree(get("/api/challenge").body())
                .path("challenge")
                .asText();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + path));
    }
}
