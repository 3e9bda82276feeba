/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.tune.store.PoolKeys;
import dev.elasticrun.tune.store.PoolProof;
import dev.elasticrun.tune.store.PoolProof.Kind;
import dev.elasticrun.tune.store.StoreMirror.Change;
import dev.elasticrun.tune.store.StudyCodec;
import dev.elasticrun.tune.store.TrialOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolViewTest {
    private final PoolKeys keys = PoolKeys.of("pool");
    private final PoolProof proof = new PoolProof(new byte[] {1, 2, 3}, "pool");
    private final PoolView view = new PoolView(keys, proof, "study");

    @Test
    void agents_andWhatTheyWorkFor() {
        view.apply(new Change.All(
                List.of(agent("a"), agent("b"), agent("c"), order("b", "study", 7), order("c", "other", 1))));

        assertThat(view.trials()).isEqualTo(Map.of("a", 0, "b", 7));
        assertThat(view.of(7)).containsExactly("b");

        view.apply(new Change.Written(order("a", "study", 7)));
        assertThat(view.of(7)).containsExactly("a", "b");
        view.apply(new Change.Deleted(keys.order("b")));
        assertThat(view.trials()).isEqualTo(Map.of("a", 7, "b", 0));
    }

    @Test
    void agentThatIsGone_leavesItsOrder_untilThatIsDeleted() {
        view.apply(new Change.All(List.of(agent("a"), order("a", "study", 1), order("x", "other", 1))));
        view.apply(new Change.Deleted(keys.agent("a")));

        assertThat(view.trials()).isEmpty();
        assertThat(view.lost()).containsExactly("a");

        view.apply(new Change.Deleted(keys.order("a")));
        assertThat(view.lost()).isEmpty();
    }

    @Test
    void agentWithAnotherKey_isAStranger_andNamedOnce() {
        PoolProof other = new PoolProof(new byte[] {9}, "pool");
        view.apply(new Change.Written(entry(keys.agent("a"), other.prove(Kind.AGENT, "a", new byte[0]))));

        assertThat(view.trials()).isEmpty();
        assertThat(view.takeStrangers()).containsExactly("a");
        assertThat(view.takeStrangers()).isEmpty();
    }

    @Test
    void orderThatIsNotProved_isNone() {
        view.apply(new Change.Written(agent("a")));
        view.apply(new Change.Written(entry(keys.order("a"), new byte[40])));

        assertThat(view.trials()).isEqualTo(Map.of("a", 0));
    }

    private KeyValue agent(String name) {
        return entry(keys.agent(name), proof.prove(Kind.AGENT, name, new byte[0]));
    }

    private KeyValue order(String agent, String study, int trial) {
        TrialOrder order = new TrialOrder(study, trial, "run", "program", List.of(), Map.of(), "{}", false);
        return entry(keys.order(agent), proof.prove(Kind.ORDER, agent, StudyCodec.order(order)));
    }

    private static KeyValue entry(String key, byte[] value) {
        return new KeyValue(key, value, 1, 1, 0);
    }
}
