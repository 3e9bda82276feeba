/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.control.Refusals;
import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.worker.contract.ListenPlace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
final class StoreOpenerIT {
    @TempDir
    Path logs;

    private final String runId = UUID.randomUUID().toString();
    private final Refusals refusals = new Refusals(System::nanoTime, refusal -> {});

    @Test
    void open_portOfAListenerThatIsMute_connectsOnceAndNamesAddressAndTime() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String endpoint = "127.0.0.1:" + mute.getLocalPort();

            assertThatThrownBy(() -> open(config(endpoint)))
                    .isInstanceOf(LaunchConfigException.class)
                    .hasMessageContaining("--rdzv-endpoint: " + endpoint + " ")
                    .hasMessageContaining("1000 ms");

            mute.setSoTimeout(100);
            mute.accept().close();
            assertThatThrownBy(mute::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    /** As when it starts beside heavy load: it listens, and writes the key down when it has joined its own run. */
    @Test
    void open_agentOfTheRunServesButHasNotJoinedYet_isWaitedForLongerThanAFirstContact() throws Exception {
        byte[] key = "the key of this run ............".getBytes(StandardCharsets.UTF_8);
        try (ServerSocket slow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunDirectory serving = RunDirectory.create("incarnation", runId, 1)) {
            String endpoint = "127.0.0.1:" + slow.getLocalPort();
            serving.writeStoreFile(runFile(endpoint, "").encode());
            CompletableFuture<Void> joining = CompletableFuture.runAsync(
                    () -> join(serving, key, runFile(endpoint, "127.0.0.1:1")),
                    CompletableFuture.delayedExecutor(2500, TimeUnit.MILLISECONDS));

            OpenedStore opened = open(config(endpoint));

            opened.store().close();
            joining.join();
            assertThat(opened.server()).isNull();
            assertThat(opened.runKey().given()).isEqualTo(key);
        }
    }

    @Test
    void open_agentOfTheRunServesButNeverJoins_isNamedWithTheTimeWaited() throws Exception {
        try (ServerSocket wedged = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunDirectory serving = RunDirectory.create("incarnation", runId, 1)) {
            String endpoint = "127.0.0.1:" + wedged.getLocalPort();
            serving.writeStoreFile(runFile(endpoint, "").encode());
            LaunchConfig config = config(endpoint).toBuilder()
                    .leaseTtl(Duration.ofSeconds(2))
                    .storeTimeout(Duration.ofSeconds(3))
                    .build();

            assertThatThrownBy(() -> open(config))
                    .isInstanceOf(StoreOpener.StoreUnreachableException.class)
                    .hasMessageContainingAll("node " + runId + " ", endpoint, "3s (--store-timeout)");
        }
    }

    /** Whoever waited takes its place, however long that was. */
    @Test
    void open_agentOfTheRunEndsBeforeItHasJoined_servesInItsPlace() throws Exception {
        CompletableFuture<OpenedStore> opening;
        try (RunDirectory serving = RunDirectory.create("incarnation", runId, 1);
                ServerSocket dying = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String endpoint = "127.0.0.1:" + dying.getLocalPort();
            serving.writeStoreFile(runFile(endpoint, "").encode());
            opening = CompletableFuture.supplyAsync(() -> open(config(endpoint)));
            try (Socket caller = dying.accept()) {
                caller.setSoTimeout(2000);
                InputStream words = caller.getInputStream();
                assertThatThrownBy(words::read).isInstanceOf(SocketTimeoutException.class);
            }
        }

        OpenedStore opened = opening.get(10, TimeUnit.SECONDS);
        opened.store().close();
        assertThat(opened.server()).isNotNull();
        if (opened.server() != null) {
            opened.server().close();
        }
    }

    private RunFile runFile(String endpoint, String control) {
        return new RunFile(runId, "incarnation", runId, List.of(endpoint), control, "", RunFile.Served.NOTHING, null);
    }

    private static void join(RunDirectory serving, byte[] key, RunFile file) {
        try {
            serving.writeKey(key);
            serving.writeRunFile(file.encode());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** 192.0.2.0/24 is for documentation: it is an address of no host, so not of this one either. */
    @Test
    void open_addressOfAnotherHostWhereNobodyIsYet_waitsAndReportsIt() {
        long beginNanos = System.nanoTime();

        assertThatThrownBy(() -> open(config("192.0.2.1:7")))
                .isInstanceOf(StoreOpener.StoreUnreachableException.class)
                .hasMessageContaining("192.0.2.1:7");

        assertThat(Duration.ofNanos(System.nanoTime() - beginNanos))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(10));
    }

    @Test
    void open_listenerThatClosesAtOnce_isNotAskedAgainAndAgainWithoutAPause() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        ServerSocket closing = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread listener = new Thread(() -> closeAll(closing, connections), "closing-listener");
        listener.start();
        try (closing) {
            String endpoint = "127.0.0.1:" + closing.getLocalPort();

            assertThatThrownBy(() -> open(config(endpoint)))
                    .isInstanceOf(LaunchConfigException.class)
                    .hasMessageContaining("--rdzv-endpoint: " + endpoint + " ");
        }
        listener.join();
        // One each 50 ms of a second, the one at its end, and none that a pause did not come before.
        assertThat(connections).hasValueBetween(2, 22);
    }

    /** Until the listener is closed. */
    private static void closeAll(ServerSocket listener, AtomicInteger connections) {
        try {
            while (true) {
                listener.accept().close();
                connections.incrementAndGet();
            }
        } catch (IOException closed) {
            // As wanted: this is the end of the test.
        }
    }

    @Test
    void open_portThatIsFree_servesThere() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        OpenedStore opened = open(config("127.0.0.1:" + port));
        try {
            assertThat(opened.endpoints()).containsExactly("127.0.0.1:" + port);
            assertThat(opened.server()).isNotNull();
        } finally {
            opened.store().close();
            if (opened.server() != null) {
                opened.server().close();
            }
        }
    }

    @Test
    void open_givenKeyIsNotThatOfTheRunOnThisHost_isRefusedAtOnce() throws Exception {
        Path keyFile = Files.write(logs.resolve("key"), new byte[32]);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunDirectory serving = RunDirectory.create("incarnation", runId, 1)) {
            String endpoint = "127.0.0.1:" + server.getLocalPort();
            RunFile file = new RunFile(
                    runId, "incarnation", runId, List.of(endpoint), "127.0.0.1:1", "", RunFile.Served.NOTHING, null);
            serving.writeKey("another key of this run ........".getBytes(StandardCharsets.UTF_8));
            serving.writeRunFile(file.encode());
            LaunchConfig config =
                    config(endpoint).toBuilder().runKeyFile(keyFile).build();

            assertThatThrownBy(() -> open(config))
                    .isInstanceOf(LaunchConfigException.class)
                    .hasMessageContaining("--run-key-file: " + keyFile + " (expected: ");
        }
    }

    /** As when two builds, or two people who share a user, start a run of the same name. */
    @Test
    void open_anotherRunOfThatNameOnThisHost_itsKeyIsNotTaken() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunDirectory serving = RunDirectory.create("incarnation", runId, 1)) {
            String endpoint = "127.0.0.1:" + mute.getLocalPort();
            RunFile file = new RunFile(
                    runId,
                    "incarnation",
                    runId,
                    List.of("127.0.0.1:1"),
                    "127.0.0.1:2",
                    "",
                    RunFile.Served.NOTHING,
                    null);
            serving.writeKey("the key of another run .........".getBytes(StandardCharsets.UTF_8));
            serving.writeRunFile(file.encode());

            assertThatThrownBy(() -> open(config(endpoint)))
                    .isInstanceOf(LaunchConfigException.class)
                    .hasMessageContaining(" " + runId + " ");
        }
    }

    private OpenedStore open(LaunchConfig config) {
        return StoreOpener.open(config, ListenPlace.LOOPBACK, runId, Optional.empty(), refusals, new SecureRandom());
    }

    private LaunchConfig config(String endpoint) {
        return LaunchConfig.builder("true")
                .runId(runId)
                .rdzvBackend("embedded")
                .rdzvEndpoints(List.of(endpoint))
                .firstContactTimeout(Duration.ofSeconds(1))
                .logDir(logs)
                .build();
    }
}
