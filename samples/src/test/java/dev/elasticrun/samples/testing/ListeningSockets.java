/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** TCP sockets at which processes listen, as the kernel lists them. */
public final class ListeningSockets {
    private static final String LISTEN = "0A";

    private ListeningSockets() {}

    /**
     * One of them.
     *
     * @param address in hexadecimal, as the kernel writes it
     */
    public record Socket(String address, int port) {
        /** Whether only this host can reach it: 127.0.0.0/8, also as an IPv6 socket has it, and ::1. */
        public boolean isLoopback() {
            return (address.length() == 8 && address.endsWith("7F"))
                    || (address.startsWith("0000000000000000FFFF0000") && address.endsWith("7F"))
                    || address.equals("00000000000000000000000001000000");
        }
    }

    /** Of a process and all its descendants. */
    public static List<Socket> of(ProcessHandle process) throws IOException {
        Set<String> inodes = new HashSet<>();
        Stream.concat(Stream.of(process), process.descendants()).forEach(each -> inodes.addAll(inodes(each.pid())));
        List<Socket> sockets = new ArrayList<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            Path file = Path.of(table);
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                String[] words = line.trim().split("\\s+", -1);
                if (words.length > 9 && words[3].equals(LISTEN) && inodes.contains(words[9])) {
                    int colon = words[1].indexOf(':');
                    sockets.add(new Socket(
                            words[1].substring(0, colon), Integer.parseInt(words[1].substring(colon + 1), 16)));
                }
            }
        }
        return sockets;
    }

    private static Set<String> inodes(long pid) {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path each : open.toList()) {
                String target = Files.readSymbolicLink(each).toString();
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        } catch (IOException ended) {
            // The process or the socket is gone.
        }
        return inodes;
    }
}
