/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentState;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Between which states agents of simulated runs moved, and by which events. */
final class SeenTransitions {
    /** Events by the two states between them. */
    private final Map<Move, Set<Class<?>>> nodes = new TreeMap<>();

    private final Map<Move, Set<Class<?>>> groups = new TreeMap<>();

    private record Move(String from, String to) implements Comparable<Move> {
        private static final Comparator<Move> ORDER =
                Comparator.comparing(Move::from).thenComparing(Move::to);

        @Override
        public int compareTo(Move other) {
            return ORDER.compare(this, other);
        }
    }

    void add(AgentState before, AgentEvent event, AgentState after) {
        add(nodes, before.membership().phase(), event, after.membership().phase());
        add(groups, before.group().phase(), event, after.group().phase());
    }

    void addAll(SeenTransitions other) {
        other.nodes.forEach((move, events) ->
                nodes.computeIfAbsent(move, unseen -> new HashSet<>()).addAll(events));
        other.groups.forEach((move, events) ->
                groups.computeIfAbsent(move, unseen -> new HashSet<>()).addAll(events));
    }

    private static <E extends Enum<E>> void add(Map<Move, Set<Class<?>>> moves, E from, AgentEvent event, E to) {
        if (from != to) {
            moves.computeIfAbsent(new Move(from.name(), to.name()), unseen -> new HashSet<>())
                    .add(event.getClass());
        }
    }

    private static String words(Class<?> event) {
        return event.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    /** Mermaid: what a node's record states of it. */
    String ofNodes() {
        return diagram(nodes, "STARTING");
    }

    /** Mermaid: the workers of a node. */
    String ofGroups() {
        return diagram(groups, "PENDING");
    }

    private static String diagram(Map<Move, Set<Class<?>>> moves, String first) {
        return moves.entrySet().stream()
                .map(seen -> "    " + seen.getKey().from() + " --> "
                        + seen.getKey().to() + " : "
                        + seen.getValue().stream()
                                .map(SeenTransitions::words)
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + "\n")
                .collect(Collectors.joining("", "stateDiagram-v2\n    [*] --> " + first + "\n", ""));
    }
}
