/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A process that was sent SIGSTOP. Its threads stop one after the other, each when it is scheduled: on a busy machine
 * some still work for a while after {@code kill} has returned.
 */
public final class StoppedProcess {
    private static final Duration WITHIN = Duration.ofSeconds(20);

    private StoppedProcess() {}

    /** Returns when no thread of the process runs; one that has ended does not. */
    public static void await(long pid) {
        Awaitility.await("all threads of process " + pid + " are stopped")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(WITHIN)
                .until(() -> isStopped(pid));
    }

    private static boolean isStopped(long pid) throws IOException {
        List<Path> threads;
        try (Stream<Path> found = Files.list(Path.of("/proc/" + pid + "/task"))) {
            threads = found.toList();
        } catch (NoSuchFileException ended) {
            return true;
        }
        for (Path thread : threads) {
            if ("TtZX".indexOf(state(thread)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** See proc(5): {@code pid (name) state ...}, where the name may hold anything. */
    private static char state(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException ended) {
            return 'X';
        }
    }
}
