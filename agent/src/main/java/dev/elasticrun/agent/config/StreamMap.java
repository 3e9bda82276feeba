/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Output streams of some workers of a node.
 *
 * @param all of every worker that is not in the map
 * @param byLocalRank of single workers
 */
public record StreamMap(Streams all, Map<Integer, Streams> byLocalRank) {
    public static final StreamMap NONE = new StreamMap(Streams.NONE, Map.of());

    private static final String EXPECTED =
            "0 (none), 1 (out), 2 (err) or 3 (both), or LOCAL_RANK:WHAT,... such as 0:1,1:err";
    private static final Pattern ENTRY = Pattern.compile("(\\d{1,6}):(\\w+)");

    /** Standard output, standard error, both or none. */
    public enum Streams {
        NONE("0"),
        OUT("1"),
        ERR("2"),
        BOTH("3");

        private final String number;

        Streams(String number) {
            this.number = number;
        }

        public boolean out() {
            return this == OUT || this == BOTH;
        }

        public boolean err() {
            return this == ERR || this == BOTH;
        }

        private static Streams parse(String text) {
            return switch (text) {
                case "0", "none" -> NONE;
                case "1", "out" -> OUT;
                case "2", "err" -> ERR;
                case "3", "both" -> BOTH;
                default -> throw new IllegalArgumentException(EXPECTED);
            };
        }
    }

    public StreamMap {
        byLocalRank = Map.copyOf(byLocalRank);
    }

    /** Throws IllegalArgumentException that states what was expected. */
    public static StreamMap parse(String text) {
        if (!text.contains(":")) {
            return new StreamMap(Streams.parse(text), Map.of());
        }
        Map<Integer, Streams> map = new TreeMap<>();
        for (String entry : text.split(",", -1)) {
            Matcher matcher = ENTRY.matcher(entry);
            boolean isNew = matcher.matches()
                    && map.put(Integer.parseInt(matcher.group(1)), Streams.parse(matcher.group(2))) == null;
            if (!isNew) {
                throw new IllegalArgumentException(EXPECTED);
            }
        }
        return new StreamMap(Streams.NONE, map);
    }

    /** As {@link #parse} reads it. */
    public String text() {
        return byLocalRank.isEmpty()
                ? all.number
                : new TreeMap<>(byLocalRank)
                        .entrySet().stream()
                                .map(entry -> entry.getKey() + ":" + entry.getValue().number)
                                .collect(Collectors.joining(","));
    }

    public Streams of(int localRank) {
        return byLocalRank.getOrDefault(localRank, all);
    }

    public Set<Integer> localRanks() {
        return byLocalRank.keySet();
    }
}
