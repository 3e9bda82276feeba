/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.testing.Patience;
import dev.elasticrun.testing.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * An agent in what a container gives it: 64 MiB of shared memory, a root that cannot be written, a volume that all can
 * write, process 1, a user without name and home, few processes, and nearly no environment. Needs root, and what
 * util-linux has. Not thread-safe.
 */
public final class Container implements AutoCloseable {
    /**
     * Users of no one else, also not of the same tests beside these: the kernel counts the processes of a user in all
     * containers together.
     */
    private static final AtomicInteger NEXT_USER =
            new AtomicInteger(1_000_000 + 100 * (int) ProcessHandle.current().pid());

    private static final String HURRY = "hurry";
    /** Processes and threads: of the agent, of its guard and of two workers. */
    private static final String MOST_PROCESSES = "100";

    private static final String SCRIPT = """
            set -e
            mount --make-rprivate /
            mount -t tmpfs -o size=64m,mode=1777 shm /dev/shm
            mount -t tmpfs -o size=64m,mode=0777 volume "$VOLUME"
            closed=
            above=$PROJECT
            while [ "$above" != / ]; do
                above=$(dirname "$above")
                [ $((0$(stat -c %a "$above") & 1)) = 1 ] || closed=$above
            done
            if [ -n "$closed" ]; then
                # The user may not enter it: shown in its place is a directory with the project alone.
                mount --bind "$PROJECT" "$HOLD"
                mount -t tmpfs -o size=1m,mode=0755 above "$closed"
                (umask 022 && mkdir -p "$PROJECT")
                mount --move "$HOLD" "$PROJECT"
                mount -o remount,bind,ro "$PROJECT"
                cd "$PROJECT"
            fi
            mount -o remount,bind,ro /
            # In octal, as whoever runs the tests may have no locale for it.
            [ -z "$LAST" ] || set -- "$@" "$(printf "$LAST")"
            exec prlimit --nproc="$PROCESSES:$PROCESSES" setpriv --reuid "$USER_ID" --regid "$USER_ID" --clear-groups \
                env -i PATH="$PATH" JAVA_HOME="$JAVA_HOME" "$@"
            """;

    private final Path directory;
    private final Path output;
    private final Process process;

    private Container(Path directory, Path output, Process process) {
        this.directory = directory;
        this.output = output;
        this.process = process;
    }

    /** Runs the launcher there. */
    public static Container start(List<String> options, List<String> program) throws IOException {
        return start(options, program, "");
    }

    /**
     * The same with one more argument.
     *
     * @param last the program's last argument, in octal as {@code printf} takes it; empty = no more
     */
    public static Container start(List<String> options, List<String> program, String last) throws IOException {
        Path directory = Files.createTempDirectory("container-");
        // For a user who has nothing else here.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path volume = Files.createDirectory(directory.resolve("volume"));
        List<String> command = new ArrayList<>(List.of("unshare", "--mount", "--pid", "--fork", "--mount-proc"));
        command.addAll(List.of("--kill-child", "sh", "-c", SCRIPT, "container", Project.LAUNCHER.toString()));
        command.addAll(options);
        command.addAll(List.of("--log-dir", volume.toString()));
        command.addAll(program);
        command.addAll(List.of("--hurry", hurry(directory).toString()));
        Path output = directory.resolve("console.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Project.ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment()
                .putAll(Map.of(
                        "PROJECT",
                        Project.ROOT.toString(),
                        "HOLD",
                        Files.createDirectory(directory.resolve("hold")).toString(),
                        "VOLUME",
                        volume.toString(),
                        "USER_ID",
                        Integer.toString(NEXT_USER.getAndIncrement()),
                        "LAST",
                        last,
                        "PROCESSES",
                        MOST_PROCESSES,
                        "JAVA_HOME",
                        System.getProperty("java.home")));
        return new Container(directory, output, builder.start());
    }

    public String console() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Until the program has printed a step in this round or a later one. */
    public void awaitRound(int round) {
        Patience.until(
                "a step in round " + round,
                TestRun.LIMIT,
                () -> !process.isAlive() || hasWorkedIn(round),
                this::console);
    }

    /** Whether the program has printed a step in this round or a later one; only rank 0 does. */
    public boolean hasWorkedIn(int round) {
        return Step.in(Stream.of(console().replace("[default 0]: ", ""))).stream()
                .anyMatch(step -> step.round() >= round);
    }

    /** Kills the worker of that local rank. */
    public void kill(int localRank) {
        process.descendants()
                .filter(handle -> environment(handle).contains("\0LOCAL_RANK=" + localRank + "\0"))
                // Not what it has started.
                .filter(handle -> handle.info().command().orElse("").endsWith("/java"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no worker " + localRank + ": " + console()))
                .destroyForcibly();
    }

    /** Until the program has printed this. */
    public void awaitOutput(String text) {
        Patience.until(
                "output of '" + text + "'",
                TestRun.LIMIT,
                () -> !process.isAlive() || console().contains(text),
                this::console);
    }

    /** Processes that have ended, and that process 1 in here should have waited for. */
    public List<Long> zombies() {
        return process.children()
                .flatMap(ProcessHandle::children)
                .filter(Processes::isZombie)
                .map(ProcessHandle::pid)
                .toList();
    }

    /** Lets the program end. */
    public void hurryUp() throws IOException {
        touch(HURRY);
    }

    /** Makes a file, which the program finds beside that of its {@code --hurry}. */
    public void touch(String name) throws IOException {
        Files.createFile(directory.resolve(name));
    }

    /** The same, and waits for that. */
    public int exitCode(Duration limit) throws IOException, InterruptedException {
        if (!Files.exists(hurry(directory))) {
            hurryUp();
        }
        if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("still there after " + limit.toSeconds() + " s; " + console());
        }
        return process.exitValue();
    }

    private static Path hurry(Path directory) {
        return directory.resolve(HURRY);
    }

    private static String environment(ProcessHandle handle) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc/" + handle.pid() + "/environ"));
            return "\0" + new String(environment, StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Its first process takes all others with it. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        Project.delete(directory);
    }
}
