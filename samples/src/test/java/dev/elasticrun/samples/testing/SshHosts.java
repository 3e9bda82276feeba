/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.rendezvous.store.FetchedPrograms;
import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.testing.Patience;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Hosts that one can log in to: the distribution's OpenSSH server, once for each of the addresses 127.0.0.2, 127.0.0.3 and so
 * on, all at one port. All files are below a directory of the test, and nothing runs after {@link #close}.
 */
public final class SshHosts implements AutoCloseable {
    private static final List<String> PACKAGES = List.of("openssh-server", "openssh-client");
    private static final List<String> PROGRAMS = List.of("sshd", "ssh", "ssh-keygen");
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /**
     * The server of root wants a user and a directory of its own, which only an installation makes: both are there for the
     * server and what it starts, and for nobody else.
     */
    private static final String AS_INSTALLED =
            "mount --bind \"$1\" /etc/passwd && mount -t tmpfs none /run && mkdir -m 755 /run/sshd && shift && exec \"$@\"";

    private final Path programs;
    private final Path directory;
    private final int port = FreePort.find();
    private final List<Process> servers = new ArrayList<>();

    private SshHosts(Path programs, Path directory) {
        this.programs = programs;
        this.directory = directory;
    }

    /**
     * Starts them, and waits until they can be reached. Fetches the programs if they are not there.
     *
     * @param parent a directory for their files
     * @param temporary the {@code TMPDIR} of what is started on them
     */
    public static SshHosts start(Path parent, Path temporary, int hosts) {
        try {
            Path programs = FetchedPrograms.directory("ssh", PACKAGES, PROGRAMS);
            SshHosts started = new SshHosts(programs, Files.createTempDirectory(parent, "ssh-"));
            boolean isUp = false;
            try {
                started.serve(temporary, hosts);
                isUp = true;
                return started;
            } finally {
                if (!isUp) {
                    started.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(Path temporary, int hosts) throws IOException {
        makeKey("host");
        makeKey("user");
        Files.copy(directory.resolve("user.pub"), directory.resolve("authorized"));
        Path users = Files.copy(Path.of("/etc/passwd"), directory.resolve("passwd"));
        if (Files.readAllLines(users).stream().noneMatch(line -> line.startsWith("sshd:"))) {
            Files.writeString(users, Files.readString(users) + "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n");
        }
        for (int host = 0; host < hosts; host++) {
            Path configuration = Files.write(
                    directory.resolve("sshd-" + host),
                    List.of(
                            "Port " + port,
                            "ListenAddress " + address(host),
                            "HostKey " + directory.resolve("host"),
                            "AuthorizedKeysFile " + directory.resolve("authorized"),
                            "PidFile none",
                            "UsePAM no",
                            "StrictModes no",
                            "PasswordAuthentication no",
                            "SetEnv TMPDIR=" + temporary + " JAVA_HOME=" + System.getProperty("java.home")));
            servers.add(new ProcessBuilder(server(users, configuration))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("sshd-" + host + ".log").toFile())
                    .start());
            String address = address(host);
            Patience.until("sshd at " + address, LIMIT, () -> answers(address), this::logs);
        }
    }

    private List<String> server(Path users, Path configuration) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "--mount", "sh", "-c", AS_INSTALLED, "sh", users.toString()));
        }
        command.addAll(List.of(programs.resolve("sshd").toString(), "-D", "-e", "-f", configuration.toString()));
        return command;
    }

    private void makeKey(String name) {
        Command.Result result = Command.run(
                Map.of(),
                LIMIT,
                List.of(
                        programs.resolve("ssh-keygen").toString(),
                        "-q",
                        "-t",
                        "ed25519",
                        "-N",
                        "",
                        "-f",
                        directory.resolve(name).toString()));
        if (result.exitCode() != 0) {
            throw new IllegalStateException("ssh-keygen ended with " + result.exitCode() + ": " + result.output());
        }
    }

    private boolean answers(String address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), (int) LIMIT.toMillis());
            return socket.getInputStream().read() == 'S';
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Of a host, counted from 0. */
    public static String address(int host) {
        return "127.0.0." + (host + 2);
    }

    /** Options of {@code elastic-run ssh} by which its client comes in. */
    public List<String> options() {
        List<String> options = new ArrayList<>();
        for (String option : List.of(
                "-p" + port,
                "-i" + directory.resolve("user"),
                "-oIdentitiesOnly=yes",
                "-oStrictHostKeyChecking=no",
                "-oUserKnownHostsFile=/dev/null",
                "-oLogLevel=ERROR",
                "-Fnone")) {
            options.add("--ssh-option=" + option);
        }
        return options;
    }

    /** The client with which an {@code elastic-run ssh} has reached a host; waits until there is one. */
    public static ProcessHandle client(AgentProcess ssh, String address) {
        Patience.until(
                "ssh to " + address,
                LIMIT,
                () -> clients(ssh, address).findFirst().isPresent(),
                ssh::console);
        return clients(ssh, address).findFirst().orElseThrow();
    }

    private static Stream<ProcessHandle> clients(AgentProcess ssh, String address) {
        return ssh.jvm().children().filter(child -> child.info()
                .arguments()
                .filter(words -> List.of(words).contains(address))
                .isPresent());
    }

    /** Variables by which the client is found. */
    public Map<String, String> environment() {
        return Map.of("PATH", programs + File.pathSeparator + System.getenv("PATH"));
    }

    /** What the servers wrote. */
    public String logs() {
        StringBuilder text = new StringBuilder();
        for (int host = 0; host < servers.size(); host++) {
            try {
                text.append(Files.readString(directory.resolve("sshd-" + host + ".log")));
            } catch (IOException e) {
                text.append(e);
            }
        }
        return text.toString();
    }

    /** Ends the servers and the connections to them. */
    @Override
    public void close() {
        for (Process server : servers) {
            server.descendants().forEach(ProcessHandle::destroy);
            server.destroy();
            try {
                if (!server.waitFor(5, TimeUnit.SECONDS)) {
                    server.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                server.destroyForcibly();
            }
        }
    }
}
