/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.Optional;

/**
 * A command and what the coordinator answered. Accepted means that it is carried out from now on, whoever coordinates.
 *
 * @param answer for people
 * @param round the newest round then; 0 = before the first
 */
public record CommandResult(Command command, boolean accepted, String answer, long round) {

    /** What the numbers of nodes are from now on, if that is what was asked for. */
    public Optional<NodeBounds> target() {
        return accepted && command.kind() == Command.Kind.SCALE ? Optional.of(command.nodes()) : Optional.empty();
    }
}
