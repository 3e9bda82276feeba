/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trail;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One event of this agent, as in its {@code events.jsonl}.
 *
 * @param round the newest round that the agent knew; 0 = none
 * @param nanos on the agent's monotonic clock
 */
public record Sighting(String kind, long round, long nanos, Map<String, Object> fields) {

    private static final Set<String> SIGNS =
            Set.of("peer.lost", "node.proved_dead", "incident.detected", "node.fenced");

    public Sighting {
        fields = Map.copyOf(fields);
    }

    /** An event whose fields may be absent. */
    public static Sighting of(String kind, long round, long nanos, Map<String, ?> fields) {
        Map<String, Object> present = new HashMap<>();
        fields.forEach((name, value) -> {
            if (value != null) {
                present.put(name, value);
            }
        });
        return new Sighting(kind, round, nanos, present);
    }

    /**
     * Whether it is a sign of something that ends this round. After a return to work nothing is that still tells of what
     * is over: of a peer that was lost in an earlier round, or what that round has answered.
     */
    public boolean isSignAfter(long workingRound) {
        return SIGNS.contains(kind)
                && number("next_round").orElse(Long.MAX_VALUE) > workingRound
                && number("lost_round").orElse(Long.MAX_VALUE) >= workingRound
                && !Boolean.TRUE.equals(fields.get("answered"));
    }

    public String text(String field) {
        return String.valueOf(fields.getOrDefault(field, ""));
    }

    public OptionalLong number(String field) {
        return fields.get(field) instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }
}
