/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.testing.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Finds what a run must not leave behind. */
public final class Remains {
    private Remains() {}

    /**
     * Processes that run in network namespaces, each given as {@code /proc/<pid>/ns/net} reads. For as long as these are
     * pinned: another one may be called the same later.
     */
    static List<String> inNamespaces(Collection<String> links) {
        return ProcessHandle.allProcesses()
                .filter(handle -> links.contains(namespace(handle)) && Processes.isRunning(handle))
                .map(handle -> "process " + handle.pid() + " in " + namespace(handle))
                .toList();
    }

    /** Run directories of these nodes, wherever an agent may have put them. */
    static List<Path> runDirectories(Path temporary, Collection<String> nodeIds) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path base : List.of(Path.of("/dev/shm"), temporary, Path.of("/tmp"))) {
            if (!Files.isDirectory(base)) {
                continue;
            }
            try (Stream<Path> owned = Files.list(base)) {
                for (Path user : owned.filter(
                                path -> path.getFileName().toString().startsWith("elastic-run-"))
                        .toList()) {
                    found.addAll(nodeDirectories(user, nodeIds));
                }
            }
        }
        return found;
    }

    /** Whether no agent has a directory in this temporary directory, which no other test has. */
    public static boolean hasNoNodeDirectory(Path temporary) {
        // elastic-run-UID/RUN/NODE.
        try (Stream<Path> found = Files.find(temporary, 3, (path, info) -> info.isDirectory())) {
            return found.noneMatch(path -> path.getNameCount() == temporary.getNameCount() + 3);
        } catch (IOException | UncheckedIOException e) {
            // One is being removed: the next look shows it.
            return false;
        }
    }

    /** Names of the keys below a prefix, as etcd's own tool sees them. */
    static List<String> keys(EtcdProcess store, String prefix) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(store.etcdctl("get", "--prefix", "--keys-only", prefix))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("etcdctl: " + output);
        }
        return output.lines().filter(line -> !line.isBlank()).toList();
    }

    private static List<Path> nodeDirectories(Path user, Collection<String> nodeIds) {
        try (Stream<Path> nodes = Files.find(
                user, 2, (path, info) -> nodeIds.contains(path.getFileName().toString()))) {
            return nodes.toList();
        } catch (IOException | UncheckedIOException e) {
            // Somebody else's directory comes and goes meanwhile: the next look will show it.
            return List.of();
        }
    }

    private static String namespace(ProcessHandle handle) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(handle.pid()), "ns/net"))
                    .toString();
        } catch (IOException e) {
            // It has ended, or belongs to another user.
            return "";
        }
    }
}
