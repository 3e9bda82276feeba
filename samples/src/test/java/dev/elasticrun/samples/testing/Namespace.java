/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace with a host name of its own, held by one process. Whatever runs in it is killed when it is closed,
 * and also when this JVM ends without closing it. Not thread-safe.
 *
 * <p>Without root a user namespace owns all of them; programs see their own user in it, not root.
 */
final class Namespace implements AutoCloseable {
    private static final String HOLD = """
            hostname "$1" && echo held && cat >/dev/null
            mine=$(readlink "/proc/$$/ns/net")
            for process in /proc/[0-9]*; do
              pid=${process#/proc/}
              [ "$pid" = $$ ] || [ "$(readlink "$process/ns/net" 2>/dev/null)" != "$mine" ] || kill -KILL "$pid"
            done
            """;
    private static final List<String> ADDITIONAL = List.of("unshare", "--net", "--uts");
    private static final List<String> WITH_OWNER = List.of("unshare", "--user", "--map-root-user", "--net", "--uts");
    private static final int USER = id("-u");
    private static final int GROUP = id("-g");

    private final Process holder;
    private final String name;
    private final String link;

    private Namespace(Process holder, String name) throws IOException {
        this.holder = holder;
        this.name = name;
        link = Files.readSymbolicLink(Path.of("/proc", Long.toString(holder.pid()), "ns/net"))
                .toString();
    }

    /** Whether the user of the tests needs no user namespace. */
    static boolean isRoot() {
        return USER == 0;
    }

    /**
     * The namespace that owns the others.
     *
     * @throws IllegalStateException if the kernel does not allow it
     */
    static Namespace first(String name) {
        return hold(USER == 0 ? ADDITIONAL : WITH_OWNER, name);
    }

    /** One more, which the first may connect to itself. */
    Namespace another(String other) {
        List<String> command = new ArrayList<>();
        if (USER != 0) {
            command.addAll(nsenter("--user", "--preserve-credentials"));
        }
        command.addAll(ADDITIONAL);
        return hold(command, other);
    }

    long pid() {
        return holder.pid();
    }

    /** How {@code /proc/<pid>/ns/net} of a process in here reads. */
    String link() {
        return link;
    }

    /**
     * Keeps the kernel from giving the number in {@link #link} to another namespace until the result is closed, also after
     * this one is.
     */
    Closeable pin() throws IOException {
        return new FileInputStream("/proc/" + holder.pid() + "/ns/net");
    }

    /** What to put before a command so that it runs in here, as the user of the tests. */
    List<String> enter() {
        List<String> prefix = new ArrayList<>(admin());
        if (USER != 0) {
            prefix.addAll(List.of("unshare", "--user", "--map-user=" + USER, "--map-group=" + GROUP));
        }
        return prefix;
    }

    /** Runs a command in here that may change its interfaces and rules. */
    void run(String... command) {
        read(command);
    }

    /** The same; returns what it prints. */
    String read(String... command) {
        List<String> all = new ArrayList<>(admin());
        all.addAll(List.of(command));
        return output(all);
    }

    @Override
    public void close() {
        try {
            holder.getOutputStream().close();
            if (!holder.waitFor(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("namespace " + name + ": its holder has not ended within 10 s");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            holder.destroyForcibly();
        }
    }

    private List<String> admin() {
        return USER == 0 ? nsenter("--net", "--uts") : nsenter("--user", "--preserve-credentials", "--net", "--uts");
    }

    private List<String> nsenter(String... which) {
        List<String> command = new ArrayList<>(List.of("nsenter", "--target", Long.toString(holder.pid())));
        command.addAll(List.of(which));
        command.add("--");
        return command;
    }

    private static Namespace hold(List<String> unshare, String name) {
        List<String> command = new ArrayList<>(unshare);
        command.addAll(List.of("sh", "-c", HOLD, "hold", name));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            String said = output.readLine();
            if (!"held".equals(said)) {
                process.destroyForcibly();
                throw new IllegalStateException("cannot make a network namespace: " + said);
            }
            return new Namespace(process, name);
        } catch (IOException e) {
            throw new IllegalStateException("cannot make a network namespace: " + e.getMessage(), e);
        }
    }

    private static int id(String which) {
        return Integer.parseInt(output(List.of("id", which)).strip());
    }

    private static String output(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + " ended with " + process.exitValue() + ": " + output.strip());
            }
            return output;
        } catch (IOException e) {
            throw new IllegalStateException("cannot run " + command + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
