/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import dev.elasticrun.rendezvous.terms.NodeBounds;
import java.util.Optional;

/**
 * A command and the coordinator's answer. Accepted means that it is carried out from now on, regardless of which node
 * coordinates.
 *
 * @param answer human-readable
 * @param round the newest round then; 0 = before the first
 */
public record CommandResult(Command command, boolean accepted, String answer, long round) {

    /** What the numbers of nodes are from now on, if that is what was asked for. */
    public Optional<NodeBounds> target() {
        return accepted && command.kind() == Command.Kind.SCALE ? Optional.of(command.nodes()) : Optional.empty();
    }
}
