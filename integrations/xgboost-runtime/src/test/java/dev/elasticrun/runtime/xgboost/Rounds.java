/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import dev.elasticrun.agent.runtime.RuntimeRound;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Rounds on this machine, as the nodes of one run see them. */
final class Rounds {
    static final RuntimeRound.Node FIRST = new RuntimeRound.Node("a", "127.0.0.1", 0, 1);
    static final RuntimeRound.Node SECOND = new RuntimeRound.Node("b", "127.0.0.1", 1, 1);

    private static final String KEY = "the secret of a round in tests..";

    private Rounds() {}

    /** Two workers on one node. */
    static RuntimeRound alone(long number) {
        RuntimeRound.Node node = new RuntimeRound.Node("a", "127.0.0.1", 0, 2);
        return of(number, List.of(node), node, 0, KEY);
    }

    /** One worker on each of two nodes. */
    static RuntimeRound of(long number, RuntimeRound.Node own, int masterPort) {
        return of(number, own, masterPort, KEY);
    }

    static RuntimeRound of(long number, RuntimeRound.Node own, int masterPort, String key) {
        return of(number, List.of(FIRST, SECOND), own, masterPort, key);
    }

    private static RuntimeRound of(
            long number, List<RuntimeRound.Node> nodes, RuntimeRound.Node own, int masterPort, String key) {
        return new RuntimeRound(
                number,
                nodes,
                own,
                new RuntimeRound.Master("127.0.0.1", masterPort, null),
                Path.of("unused"),
                key.getBytes(StandardCharsets.UTF_8));
    }
}
