/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd for tests, of one member unless an {@link EtcdCluster} says otherwise: it can be killed, restarted, frozen,
 * wiped and set back, and leaves neither process nor file.
 *
 * <p>Used by one thread. The binary is the one on PATH, or Debian's, fetched once below the root's {@code target}.
 */
public final class EtcdProcess implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(20);
    private static final int PORT_ATTEMPTS = 5;

    private final Path directory;
    private final List<String> options;
    private final Thread hook = new Thread(this::kill, "etcd-kill");
    private int clientPort;
    private int peerPort;
    private volatile @Nullable Process process;

    private EtcdProcess(Path directory, List<String> options) {
        this.directory = directory;
        this.options = List.copyOf(options);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** A member that is not started yet. */
    static EtcdProcess member(Path directory, int clientPort, int peerPort, List<String> options) {
        EtcdProcess etcd = new EtcdProcess(directory.toAbsolutePath(), options);
        etcd.clientPort = clientPort;
        etcd.peerPort = peerPort;
        return etcd;
    }

    /**
     * Starts etcd and waits until it answers. The directory is made, and deleted by {@link #close}.
     *
     * @param options more flags
     */
    public static EtcdProcess start(Path dataDir, String... options) {
        EtcdProcess etcd = new EtcdProcess(dataDir.toAbsolutePath(), List.of(options));
        try {
            etcd.startOnFreePorts();
            return etcd;
        } catch (IllegalStateException e) {
            etcd.close();
            throw e;
        }
    }

    /** Directory that holds {@code etcd} and {@code etcdctl}. */
    public static Path binaries() {
        return EtcdBinaries.directory();
    }

    /** {@code host:port} for clients. */
    public String endpoint() {
        return "127.0.0.1:" + clientPort;
    }

    public long pid() {
        return running().pid();
    }

    /** SIGKILL; the data stays. */
    public void kill() {
        Process current = process;
        if (current != null) {
            current.destroyForcibly();
            current.onExit().join();
        }
    }

    /** Starts again on the same data and port, and waits until it answers. */
    public void restart() {
        kill();
        launch();
        awaitReady();
    }

    /** Starts without any data, on the same port and with the same flags: by its cluster id the same etcd. */
    public void wipe() {
        kill();
        delete(data());
        launch();
        awaitReady();
    }

    /** Keeps a copy of the data as it is now; etcd is restarted for it. */
    public void keepCopy() {
        kill();
        copy(data(), directory.resolve("copy"));
        launch();
        awaitReady();
    }

    /** Goes back to the copy: an older revision of the same cluster. */
    public void restoreCopy() {
        kill();
        delete(data());
        copy(directory.resolve("copy"), data());
        launch();
        awaitReady();
    }

    /** Runs etcdctl against this etcd and returns what it printed. */
    public String ctl(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(binaries().resolve("etcdctl").toString(), "--endpoints=" + endpoint()));
        command.addAll(List.of(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().keySet().removeIf(name -> name.startsWith("ETCDCTL_"));
            builder.environment().put("ETCDCTL_API", "3");
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            process.waitFor();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Writes until a quota given by {@code --quota-backend-bytes} is used up. */
    public void fill() {
        String value = "x".repeat(100_000);
        for (int i = 0; i < 1_000; i++) {
            if (ctl("put", "/filler/" + i, value).contains("database space exceeded")) {
                return;
            }
        }
        throw new IllegalStateException("there is still space (expected: a small --quota-backend-bytes)");
    }

    /** Forgets all but the newest revision. */
    public void compact() {
        Matcher revision = Pattern.compile("\"revision\":(\\d+)").matcher(ctl("get", "/none", "-w", "json"));
        if (!revision.find()) {
            throw new IllegalStateException("no revision in the answer");
        }
        ctl("compaction", "--physical", revision.group(1));
    }

    /** What an operator does against {@link #fill}. */
    public void makeSpace() {
        ctl("del", "--prefix", "/filler/");
        compact();
        ctl("defrag");
        ctl("alarm", "disarm");
    }

    /** SIGSTOP: connections stay open, nothing answers. */
    public void pause() {
        signal("STOP");
    }

    /** SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    @Override
    public void close() {
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The machine is going down already: the hook does the same.
        }
        delete(directory);
    }

    private void startOnFreePorts() {
        for (int attempt = 1; ; attempt++) {
            clientPort = freePort();
            peerPort = freePort();
            launch();
            try {
                awaitReady();
                return;
            } catch (IllegalStateException e) {
                kill();
                boolean portWasTaken = log().contains("address already in use");
                if (!portWasTaken || attempt == PORT_ATTEMPTS) {
                    throw e;
                }
                delete(directory);
            }
        }
    }

    void launch() {
        String clientUrl = "http://127.0.0.1:" + clientPort;
        String peerUrl = "http://127.0.0.1:" + peerPort;
        List<String> command = new ArrayList<>(List.of(
                EtcdBinaries.directory().resolve("etcd").toString(),
                "--data-dir=" + data(),
                "--listen-client-urls=" + clientUrl,
                "--advertise-client-urls=" + clientUrl,
                "--listen-peer-urls=" + peerUrl,
                "--initial-advertise-peer-urls=" + peerUrl,
                "--initial-cluster-state=new"));
        if (options.stream().noneMatch(option -> option.startsWith("--initial-cluster="))) {
            command.addAll(List.of("--name=test", "--initial-cluster=test=" + peerUrl));
        }
        command.addAll(options);
        if (EtcdBinaries.canSkipSync()) {
            command.add("--unsafe-no-fsync");
        }
        try {
            Files.createDirectories(directory);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
            builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_"));
            // etcd 3.4 asks for this on anything but x86-64.
            if (System.getProperty("os.arch").equals("aarch64")) {
                builder.environment().put("ETCD_UNSUPPORTED_ARCH", "arm64");
            }
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }

    void awaitReady() {
        try {
            await().atMost(READY_WITHIN)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> !running().isAlive() || isHealthy());
        } catch (ConditionTimeoutException e) {
            throw new IllegalStateException("etcd is not ready after " + READY_WITHIN + ", its log:\n" + log(), e);
        }
        if (!running().isAlive()) {
            throw new IllegalStateException("etcd ended with " + running().exitValue() + ", its log:\n" + log());
        }
    }

    private boolean isHealthy() {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create("http://" + endpoint() + "/health").toURL().openConnection();
            connection.setConnectTimeout(500);
            connection.setReadTimeout(1_000);
            try (InputStream body = connection.getInputStream()) {
                return new String(body.readAllBytes(), UTF_8).contains("true");
            }
        } catch (IOException e) {
            return false;
        }
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .inheritIO()
                    .start();
            if (!kill.waitFor(5, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("kill -" + name + " " + pid() + " did not succeed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending " + name, e);
        }
    }

    private Process running() {
        Process current = process;
        if (current == null) {
            throw new IllegalStateException("etcd was never started");
        }
        return current;
    }

    private Path logFile() {
        return directory.resolve("etcd.log");
    }

    private String log() {
        try {
            return Files.exists(logFile()) ? Files.readString(logFile()) : "(none)";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy " + from, e);
        }
    }

    private static void delete(Path tree) {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + tree, e);
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
