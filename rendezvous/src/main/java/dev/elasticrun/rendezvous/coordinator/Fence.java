/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import java.util.ArrayList;
import java.util.List;

/**
 * Guards the writes of a coordinator, which fail once it is deposed. A store that came back empty counts revisions
 * anew, so that the create revision of another coordinator's key may be the same there; the node's key has a name that
 * no other node uses.
 *
 * @param coordinator create revision of the coordinator's key
 * @param node create revision of its node's key
 */
public record Fence(long coordinator, String nodeId, long node) {

    /** These guards, and those that a deposed coordinator fails. */
    List<Guard> and(RunKeys keys, Guard... others) {
        List<Guard> guards = new ArrayList<>(List.of(others));
        guards.add(new Guard.CreateRevision(keys.coordinator(), coordinator));
        guards.add(new Guard.CreateRevision(keys.node(nodeId), node));
        return List.copyOf(guards);
    }
}
