/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd for tests, of one member unless an {@link EtcdCluster} sets another: it can be killed, restarted, frozen,
 * wiped and set back, and leaves neither process nor file.
 *
 * <p>Used by one thread. The binary is the one on PATH, or Debian's, fetched once below the root's {@code target}.
 */
public final class EtcdProcess implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(20);
    private static final int PORT_ATTEMPTS = 5;
    private static final String CERTIFICATE = "--cert-file=";
    private static final Place LOOPBACK = new Place(List.of(), "127.0.0.1");

    private final Path directory;
    private final Place place;
    private final List<String> options;
    private final Thread hook = new Thread(this::kill, "etcd-kill");
    private int clientPort;
    private int peerPort;
    private volatile @Nullable Process process;

    /**
     * Where it runs.
     *
     * @param enter what to put before a command that is to run there, for instance in a network namespace
     * @param address on which it listens
     */
    public record Place(List<String> enter, String address) {
        public Place {
            enter = List.copyOf(enter);
        }

        List<String> command(List<String> command) {
            List<String> all = new ArrayList<>(enter);
            all.addAll(command);
            return all;
        }
    }

    private EtcdProcess(Path directory, Place place, List<String> options) {
        this.directory = directory.toAbsolutePath();
        this.place = place;
        this.options = List.copyOf(options);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** A member that is not started yet. */
    static EtcdProcess member(Path directory, int clientPort, int peerPort, List<String> options) {
        EtcdProcess etcd = new EtcdProcess(directory, LOOPBACK, options);
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
        return start(dataDir, LOOPBACK, options);
    }

    /** The same in another place. */
    public static EtcdProcess start(Path dataDir, Place place, String... options) {
        EtcdProcess etcd = new EtcdProcess(dataDir, place, List.of(options));
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

    /**
     * Starts one that talks TLS only, to clients that show a certificate.
     *
     * @param files directory with {@code cert.pem}, {@code key.pem} and {@code ca.pem}, which vouches for clients, too
     */
    public static EtcdProcess startWithTls(Path dataDir, Path files) {
        return start(
                dataDir,
                CERTIFICATE + files.resolve("cert.pem"),
                "--key-file=" + files.resolve("key.pem"),
                "--trusted-ca-file=" + files.resolve("ca.pem"),
                "--client-cert-auth");
    }

    /** {@code host:port} for clients. */
    public String endpoint() {
        return place.address() + ":" + clientPort;
    }

    /** A command line for {@code etcdctl}, which reaches this etcd from wherever the test runs. */
    public List<String> etcdctl(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "ETCDCTL_API=3",
                EtcdBinaries.directory().resolve("etcdctl").toString(),
                "--endpoints=" + endpoint()));
        certificate().ifPresent(file -> {
            command.set(command.size() - 1, "--endpoints=" + clientUrl());
            command.add("--cert=" + file);
            command.add("--key=" + file.resolveSibling("key.pem"));
            command.add("--cacert=" + file.resolveSibling("ca.pem"));
        });
        command.addAll(List.of(arguments));
        return place.command(command);
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
        List<String> command = etcdctl(arguments);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().keySet().removeIf(name -> name.startsWith("ETCDCTL_"));
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

    /** SIGSTOP: connections stay open, and nothing answers any more when this returns. */
    public void pause() {
        signal("STOP");
        StoppedProcess.await(pid());
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
            clientPort = FreePort.find();
            peerPort = FreePort.find();
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

    private Optional<Path> certificate() {
        return options.stream()
                .filter(option -> option.startsWith(CERTIFICATE))
                .map(option -> Path.of(option.substring(CERTIFICATE.length())))
                .findFirst();
    }

    private String clientUrl() {
        return (certificate().isPresent() ? "https://" : "http://") + endpoint();
    }

    void launch() {
        String clientUrl = clientUrl();
        String peerUrl = "http://" + place.address() + ":" + peerPort;
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
            ProcessBuilder builder = new ProcessBuilder(place.command(command))
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
        boolean isPlain = place.equals(LOOPBACK) && certificate().isEmpty();
        return isPlain ? isHealthyByHttp() : succeeds(etcdctl("endpoint", "health"));
    }

    private boolean isHealthyByHttp() {
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
        if (!succeeds(List.of("kill", "-" + name, Long.toString(pid())))) {
            throw new IllegalStateException("kill -" + name + " " + pid() + " did not succeed");
        }
    }

    private static boolean succeeds(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
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
}
