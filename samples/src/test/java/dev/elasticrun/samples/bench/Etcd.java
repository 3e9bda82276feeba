/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real etcd for the time of a benchmark. */
final class Etcd implements AutoCloseable {
    private final Process process;
    private final int port;

    private Etcd(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static Etcd start(Path directory) throws IOException {
        int client = freePort();
        String clientUrl = "http://127.0.0.1:" + client;
        String peerUrl = "http://127.0.0.1:" + freePort();
        Path output = directory.resolve("etcd.txt");
        Process process = new ProcessBuilder(List.of(
                        binary(),
                        "--data-dir",
                        directory.resolve("etcd").toString(),
                        "--listen-client-urls",
                        clientUrl,
                        "--advertise-client-urls",
                        clientUrl,
                        "--listen-peer-urls",
                        peerUrl,
                        "--initial-advertise-peer-urls",
                        peerUrl,
                        "--initial-cluster",
                        "default=" + peerUrl))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Etcd etcd = new Etcd(process, client);
        try {
            Patience.until("etcd on port " + client, Duration.ofSeconds(20), etcd::answers, () -> "see " + output);
        } catch (IllegalStateException e) {
            etcd.close();
            throw e;
        }
        return etcd;
    }

    String endpoint() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected() && process.isAlive();
        } catch (IOException e) {
            return false;
        }
    }

    /** The etcd of the PATH, else the distribution's, fetched into the build directory as for the tests. */
    private static String binary() throws IOException {
        Process fetch = new ProcessBuilder(
                        Project.ROOT.resolve(".config/fetch-etcd").toString(),
                        Project.ROOT.resolve("rendezvous/target/etcd").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(fetch.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (fetch.onExit().orTimeout(300, TimeUnit.SECONDS).join().exitValue() != 0) {
            throw new IllegalStateException("etcd: none (expected: etcd on the PATH, or the package etcd-server)");
        }
        return Path.of(printed.strip()).resolve("etcd").toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
