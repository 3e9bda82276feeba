/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stock client looks into the embedded store. */
@Timeout(60)
@Tag("once")
final class EtcdctlIT {
    @TempDir
    Path directory;

    private EmbeddedEtcdServer server;

    @BeforeEach
    void start() {
        server = EmbeddedEtcdServer.start("127.0.0.1", 0, null);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void calls_withoutAProof_areRefusedButForReadsThatAreOpen() throws Exception {
        try (EmbeddedEtcdServer guarded = EmbeddedEtcdServer.start("127.0.0.1", 0, "secret");
                EmbeddedEtcdServer readable = EmbeddedEtcdServer.start(
                        "127.0.0.1",
                        0,
                        new StoreAccess("secret", true),
                        null,
                        new EmbeddedEtcdServer.Listening(NioServerSocketChannel::new, new ConnectionGate(), true))) {
            assertThat(etcdctl(guarded, "", "get", "/a").output).contains("--store-open-reads");
            assertThat(etcdctl(readable, "", "get", "/a")).isEqualTo(new Outcome(0, ""));
            Outcome put = etcdctl(readable, "", "put", "/a", "1");
            assertThat(put.exit).isNotZero();
            assertThat(put.output).contains("put refused");
        }
    }

    @Test
    void keys_writtenReadAndDeleted_lookAsInEtcd() throws Exception {
        assertThat(ok("put", "/a/1", "one")).isEqualTo("OK\n");
        ok("put", "/a/2", "two");
        ok("put", "/b", "three");
        ok("put", "/a/1", "uno");

        assertThat(ok("get", "--prefix", "/a/")).isEqualTo("/a/1\nuno\n/a/2\ntwo\n");
        assertThat(ok("get", "--rev=2", "/a/1")).isEqualTo("/a/1\none\n");
        assertThat(ok("get", "-w", "json", "/b")).contains("\"create_revision\":4", "\"version\":1", "\"count\":1");
        assertThat(ok("get", "--prefix", "--keys-only", "--order=DESCEND", "/")).isEqualTo("/b\n\n/a/2\n\n/a/1\n\n");
        assertThat(ok("del", "--prefix", "/a/")).isEqualTo("2\n");
        assertThat(ok("compaction", "5")).contains("compacted revision 5");
        Outcome old = etcdctl(server, "", "get", "--rev=2", "/b");
        assertThat(old.exit).isNotZero();
        assertThat(old.output).contains("required revision has been compacted");
    }

    @Test
    void txn_guarded_takesTheRightBranch() throws Exception {
        ok("put", "/a", "1");

        Outcome outcome = etcdctl(
                server, "value(\"/a\") = \"1\"\n\nput /a 2\nget /a\n\nput /a 3\n\n", "txn", "--interactive=false");

        assertThat(outcome.output).contains("SUCCESS", "OK");
        assertThat(ok("get", "--print-value-only", "/a")).isEqualTo("2\n");
    }

    @Test
    void lease_grantedRenewedRevoked_takesItsKey() throws Exception {
        String id = ok("lease", "grant", "60").split(" ", -1)[1];
        ok("put", "--lease=" + id, "/a", "1");

        assertThat(ok("lease", "timetolive", "--keys", id)).contains("granted with TTL(60s)", "attached keys([/a])");
        assertThat(ok("lease", "keep-alive", "--once", id)).contains("keepalived with TTL(60)");
        assertThat(ok("lease", "revoke", id)).contains("revoked");
        assertThat(ok("get", "/a")).isEmpty();
        assertThat(etcdctl(server, "", "lease", "revoke", id).output).contains("requested lease not found");
    }

    @Test
    void watch_fromARevision_printsHistoryAndNews() throws Exception {
        ok("put", "/a", "1");
        Path printed = directory.resolve("watch.out");
        Process watch = command(server, "watch", "--prefix", "--prev-kv", "--rev=2", "/")
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            awaitText(printed, "PUT\n/a\n1\n");
            ok("put", "/a", "2");
            ok("del", "/a");
            awaitText(printed, "PUT\n/a\n1\nPUT\n/a\n1\n/a\n2\nDELETE\n/a\n2\n/a\n\n");
        } finally {
            watch.destroyForcibly().waitFor();
        }
    }

    @Test
    void lock_heldAroundACommand_runsIt() throws Exception {
        assertThat(ok("lock", "/lock", "echo", "inside")).contains("inside");
    }

    @Test
    void endpoint_andMembers_areReported() throws Exception {
        assertThat(etcdctl(server, "", "endpoint", "health").output).contains("is healthy");
        assertThat(ok("endpoint", "status")).contains(server.endpoint(), "true");
        assertThat(ok("member", "list")).contains("elastic-run", "http://" + server.endpoint());
        assertThat(ok("alarm", "list")).isEmpty();
    }

    private record Outcome(int exit, String output) {}

    private String ok(String... arguments) throws IOException, InterruptedException {
        Outcome outcome = etcdctl(server, "", arguments);
        assertThat(outcome.exit).as(outcome.output).isZero();
        return outcome.output;
    }

    private static Outcome etcdctl(EmbeddedEtcdServer server, String input, String... arguments)
            throws IOException, InterruptedException {
        Process process = command(server, arguments).redirectErrorStream(true).start();
        process.getOutputStream().write(input.getBytes(UTF_8));
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return new Outcome(process.exitValue(), output);
    }

    private static ProcessBuilder command(EmbeddedEtcdServer server, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(EtcdProcess.binaries().resolve("etcdctl").toString(), "--endpoints=" + server.endpoint()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("ETCDCTL_"));
        builder.environment().put("ETCDCTL_API", "3");
        return builder;
    }

    private static void awaitText(Path file, String expected) {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(Files.readString(file)).isEqualTo(expected));
    }
}
