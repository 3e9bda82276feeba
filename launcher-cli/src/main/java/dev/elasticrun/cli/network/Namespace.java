/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace with a host name of its own, held by one process, which is this one or a child. What runs in that of
 * a child is killed when it is closed, and also when this JVM ends without closing it, unless it ends within two seconds.
 * Not thread-safe.
 *
 * <p>Without root a user namespace owns all of them; programs see their own user in it, not root.
 */
public final class Namespace implements AutoCloseable {
    // A terminal sends its signals to the holder, too, which must outlive what runs in its namespace. What is about to
    // end
    // gets the time for that: the guard of an agent that was killed removes files.
    private static final String HOLD = """
            trap '' HUP INT TERM
            hostname "$1" && echo held && cat >/dev/null
            mine=$(readlink "/proc/$$/ns/net")
            look() {
              others=
              for process in /proc/[0-9]*; do
                pid=${process#/proc/}
                [ "$pid" = $$ ] || [ "$(readlink "$process/ns/net" 2>/dev/null)" != "$mine" ] || others="$others $pid"
              done
              [ -n "$others" ]
            }
            tries=20
            while look && [ $tries -gt 0 ]; do tries=$((tries - 1)); sleep 0.1; done
            [ -z "$others" ] || kill -KILL $others
            """;
    private static final List<String> ADDITIONAL = List.of("unshare", "--net", "--uts");
    private static final List<String> WITH_OWNER = List.of("unshare", "--user", "--map-root-user", "--net", "--uts");
    private static final List<String> JOIN_OWNER = List.of("--user", "--preserve-credentials");

    private final Optional<Process> holder;
    private final String name;
    private final User user;
    /** Options of nsenter by which this JVM gets the rights of the owner. */
    private final List<String> join;

    /** Who runs this JVM. */
    private record User(int id, int group) {
        static User current() {
            return new User(number("-u"), number("-g"));
        }

        boolean isRoot() {
            return id == 0;
        }

        List<String> same() {
            return List.of("--user", "--map-user=" + id, "--map-group=" + group);
        }

        private static int number(String which) {
            return Integer.parseInt(output(List.of("id", which)).strip());
        }
    }

    private Namespace(Optional<Process> holder, String name, User user, List<String> join) {
        this.holder = holder;
        this.name = name;
        this.user = user;
        this.join = join;
    }

    /**
     * The namespace that owns the others, beside that of this JVM.
     *
     * @throws IllegalStateException if the kernel does not allow it
     */
    public static Namespace first(String name) {
        User user = User.current();
        return user.isRoot()
                ? new Namespace(Optional.of(hold(ADDITIONAL, name)), name, user, List.of())
                : new Namespace(Optional.of(hold(WITH_OWNER, name)), name, user, JOIN_OWNER);
    }

    /**
     * What to put before a command so that it runs in a namespace of its own, as the same user, and may make more by {@link
     * #here}.
     */
    static List<String> fresh() {
        User user = User.current();
        List<String> prefix = new ArrayList<>(ADDITIONAL);
        if (!user.isRoot()) {
            prefix.addAll(user.same());
            prefix.add("--keep-caps");
        }
        return prefix;
    }

    /** That of this JVM, which was started by {@link #fresh}. Closing it does nothing. */
    static Namespace here() {
        return new Namespace(Optional.empty(), "of this process", User.current(), List.of());
    }

    /**
     * One more, which this one may connect to itself.
     *
     * @throws IllegalStateException if the kernel does not allow it
     */
    public Namespace another(String other) {
        List<String> command = new ArrayList<>();
        if (!join.isEmpty()) {
            command.addAll(nsenter(join));
        }
        command.addAll(ADDITIONAL);
        return new Namespace(Optional.of(hold(command, other)), other, user, join);
    }

    /** Process that holds it. */
    public long pid() {
        return holder.map(Process::pid).orElse(ProcessHandle.current().pid());
    }

    /** What to put before a command so that it runs in here, as the user of this JVM. */
    public List<String> enter() {
        List<String> prefix = new ArrayList<>(admin());
        if (!user.isRoot()) {
            prefix.add("unshare");
            prefix.addAll(user.same());
        }
        return prefix;
    }

    /**
     * Runs a command in here that may change its interfaces and rules.
     *
     * @throws IllegalStateException if it fails; with what it printed
     */
    public void run(String... command) {
        read(command);
    }

    /** The same; returns what it prints. */
    public String read(String... command) {
        List<String> all = new ArrayList<>(admin());
        all.addAll(List.of(command));
        return output(all);
    }

    /** Waits 10 s at most for the end of the holder. */
    @Override
    public void close() {
        holder.ifPresent(this::end);
    }

    private void end(Process process) {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("namespace " + name + ": its holder has not ended within 10 s");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> admin() {
        if (holder.isEmpty()) {
            return List.of();
        }
        List<String> which = new ArrayList<>(join);
        which.addAll(List.of("--net", "--uts"));
        return nsenter(which);
    }

    private List<String> nsenter(List<String> which) {
        List<String> command = new ArrayList<>(List.of("nsenter", "--target", Long.toString(pid())));
        command.addAll(which);
        command.add("--");
        return command;
    }

    private static Process hold(List<String> unshare, String name) {
        List<String> command = new ArrayList<>(unshare);
        command.addAll(List.of("sh", "-c", HOLD, "hold", name));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            String line = output.readLine();
            if (!"held".equals(line)) {
                process.destroyForcibly();
                throw new IllegalStateException("cannot make a network namespace: " + line);
            }
            return process;
        } catch (IOException e) {
            throw new IllegalStateException("cannot make a network namespace: " + e.getMessage(), e);
        }
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
