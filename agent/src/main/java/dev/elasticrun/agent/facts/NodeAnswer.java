/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.facts;

import org.jspecify.annotations.Nullable;

/**
 * What came of asking one node's agent.
 *
 * @param facts null when it did not answer
 * @param silence why not, in words; empty when it did
 */
public record NodeAnswer(String nodeId, @Nullable NodeFacts facts, String silence) {

    public static NodeAnswer of(NodeFacts facts) {
        return new NodeAnswer(facts.nodeId(), facts, "");
    }

    public static NodeAnswer silent(String nodeId, String why) {
        return new NodeAnswer(nodeId, null, why);
    }
}
