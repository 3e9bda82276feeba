/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Where the workers of a round listen: the file {@code peers/<round>} of a node directory, written under a temporary
 * name and renamed before the round's WORK. Text: a line {@code peers 1 <round> <ranks>}, then one line {@code <rank>
 * <nodeId> <host> <port>} per rank, in rank order.
 *
 * @param peers one per rank, the index is the rank
 */
public record PeerTable(long round, List<Peer> peers) {
    private static final String VERSION = "1";

    /** Address of one worker's data-plane listener. */
    public record Peer(int rank, String nodeId, String host, int port) {
        public Peer {
            requireWord("nodeId", nodeId);
            requireWord("host", host);
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
            }
        }
    }

    public PeerTable {
        peers = List.copyOf(peers);
        for (int i = 0; i < peers.size(); i++) {
            if (peers.get(i).rank() != i) {
                throw new IllegalArgumentException("rank: " + peers.get(i).rank() + " (expected: " + i + ")");
            }
        }
    }

    public byte[] encode() {
        StringBuilder text = new StringBuilder();
        text.append("peers ").append(VERSION).append(' ').append(round).append(' ');
        text.append(peers.size()).append('\n');
        for (Peer peer : peers) {
            text.append(peer.rank()).append(' ').append(peer.nodeId()).append(' ');
            text.append(peer.host()).append(' ').append(peer.port()).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Throws IllegalArgumentException that names the line. */
    public static PeerTable decode(byte[] text) {
        List<String> lines = new String(text, StandardCharsets.UTF_8).lines().toList();
        String[] header = lines.isEmpty() ? new String[0] : lines.get(0).split(" ", -1);
        if (header.length != 4 || !header[0].equals("peers") || !header[1].equals(VERSION)) {
            throw new IllegalArgumentException("line 1: not \"peers " + VERSION + " <round> <ranks>\"");
        }
        long round = number(header[2], 1);
        long ranks = number(header[3], 1);
        if (ranks != lines.size() - 1) {
            throw new IllegalArgumentException("lines: " + (lines.size() - 1) + " ranks (expected: " + ranks + ")");
        }
        List<Peer> peers = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            String[] words = lines.get(i).split(" ", -1);
            if (words.length != 4) {
                throw new IllegalArgumentException("line " + (i + 1) + ": not \"<rank> <nodeId> <host> <port>\"");
            }
            peers.add(new Peer(small(words[0], i + 1), words[1], words[2], small(words[3], i + 1)));
        }
        return new PeerTable(round, peers);
    }

    private static int small(String word, int line) {
        long value = number(word, line);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("line " + line + ": " + word + " (expected: a rank or port)");
        }
        return (int) value;
    }

    private static long number(String word, int line) {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("line " + line + ": " + word + " (expected: a number)", e);
        }
    }

    private static void requireWord(String name, String value) {
        Objects.requireNonNull(value, name);
        if (value.isEmpty() || value.chars().anyMatch(c -> c <= ' ')) {
            throw new IllegalArgumentException(name + ": \"" + value + "\" (expected: no blanks, not empty)");
        }
    }
}
