/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Which process has which TCP connection of this host, over IPv4. */
public final class SocketTable {
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String ESTABLISHED = "01";

    private SocketTable() {}

    /** The process whose end of a connection has these ports. */
    public static ProcessHandle ownerOf(int localPort, int remotePort) throws IOException {
        List<String> sockets = sockets(words -> port(words[LOCAL]) == localPort && port(words[REMOTE]) == remotePort);
        return ProcessHandle.allProcesses()
                .filter(process -> has(process, sockets))
                .findFirst()
                .orElseThrow(() -> new IOException("no process with a connection from " + localPort));
    }

    /** Whether the process has a connection with one of these ports at its own end, or at the other one. */
    public static boolean isConnected(ProcessHandle process, int localPort, int remotePort) throws IOException {
        return has(
                process,
                sockets(words -> words[STATE].equals(ESTABLISHED)
                        && (port(words[LOCAL]) == localPort || port(words[REMOTE]) == remotePort)));
    }

    private static List<String> sockets(Predicate<String[]> wanted) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/net/tcp"))) {
            return lines.skip(1)
                    .map(line -> line.strip().split("\\s+", -1))
                    .filter(wanted)
                    .map(words -> "socket:[" + words[INODE] + "]")
                    .toList();
        }
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }

    private static boolean has(ProcessHandle process, List<String> sockets) {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            return open.anyMatch(file -> sockets.contains(target(file)));
        } catch (IOException | java.io.UncheckedIOException ended) {
            return false;
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
