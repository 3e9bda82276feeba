/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.List;
import java.util.Optional;

/** The participants of a round that answer what is asked most without making all of them. Unmodifiable. */
public interface IndexedParticipants extends List<Participant> {

    /** Number of workers of all nodes. */
    int worldSize();

    /** The place of that node. */
    Optional<Participant> find(String nodeId);
}
