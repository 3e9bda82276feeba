/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import dev.elasticrun.testing.Patience;
import dev.elasticrun.testing.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A container of an image as engines make it when they are asked to be strict: the user of the image, a root that cannot be
 * written, 64 MiB of shared memory, a small /tmp, process 1, no capabilities and only the environment of the image. Needs root,
 * and what util-linux has. Not thread-safe.
 */
final class ImageContainer implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final String SCRIPT = """
            set -e
            root=$1 user=$2
            shift 2
            mount --make-rprivate /
            mount --bind "$root" "$root"
            mount -t proc proc "$root/proc"
            mount -t tmpfs -o size=64k,mode=0755 dev "$root/dev"
            for device in null zero random urandom; do
                : >"$root/dev/$device"
                mount --bind "/dev/$device" "$root/dev/$device"
            done
            mkdir "$root/dev/shm"
            mount -t tmpfs -o size=64m,mode=1777 shm "$root/dev/shm"
            mount -t tmpfs -o size=64m,mode=1777 tmp "$root/tmp"
            [ ! -d "$root/sys" ] || mount --rbind /sys "$root/sys"
            mount -o remount,bind,ro "$root"
            exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" "$@"
            """;

    private final UserProcess process;

    private ImageContainer(UserProcess process) {
        this.process = process;
    }

    /** @param directory where output is kept */
    static ImageContainer start(OciImage image, Path directory, List<String> arguments) throws IOException {
        return start(List.of(), image, directory, arguments);
    }

    /**
     * The same elsewhere, or with limits.
     *
     * @param enter what to put before a command so that it runs there
     */
    static ImageContainer start(List<String> enter, OciImage image, Path directory, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(enter);
        command.addAll(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child"));
        command.addAll(List.of("sh", "-c", SCRIPT, "container", image.root().toString(), image.user()));
        command.addAll(List.of("/bin/env", "-i"));
        command.addAll(image.environment());
        command.addAll(image.command(arguments));
        return new ImageContainer(UserProcess.of(directory, command));
    }

    UserProcess process() {
        return process;
    }

    /** Process 1, as this side sees it. */
    ProcessHandle first() {
        return process.handle().children().findFirst().orElseThrow();
    }

    /** Whether a file is there as process 1 sees it; false as long as there is no process 1. */
    boolean has(Path file) {
        return process.handle()
                .children()
                .findFirst()
                .filter(first -> Files.exists(Path.of("/proc/" + first.pid() + "/root" + file)))
                .isPresent();
    }

    /** A line of what the kernel knows of process 1, such as {@code Uid}. */
    String status(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + first().pid() + "/status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .findFirst()
                .orElseThrow();
    }

    /** Until process 1 has waited for all that were left to it. */
    void awaitNoZombies() {
        Patience.until("no zombies", LIMIT, () -> zombies().isEmpty(), () -> zombies() + process.err());
    }

    List<Long> zombies() {
        return first().children()
                .filter(Processes::isZombie)
                .map(ProcessHandle::pid)
                .toList();
    }

    @Override
    public void close() {
        process.close();
    }
}
