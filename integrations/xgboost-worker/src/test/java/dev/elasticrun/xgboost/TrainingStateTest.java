/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class TrainingStateTest {

    @Test
    void restore_saved_isTheSame() {
        TrainingState state = new TrainingState();
        state.shards(3);
        state.advance(metrics(0.5, 0.6), 4);
        state.advance(metrics(0.4, 0.5), 4);
        state.advance(metrics(0.3, 0.55), 7);
        state.model(new byte[] {1, 2, 3});

        TrainingState copy = new TrainingState();
        copy.restore(state.save());

        assertThat(copy.save()).isEqualTo(state.save());
        assertThat(copy.round()).isEqualTo(3);
        assertThat(copy.runRounds()).isEqualTo(2);
        assertThat(copy.shards()).isEqualTo(3);
        assertThat(copy.model()).containsExactly(1, 2, 3);
        assertThat(copy.history().keySet()).containsExactly("train-logloss", "eval-logloss");
        assertThat(copy.history().get("eval-logloss")).containsExactly(0.6, 0.5, 0.55);
        assertThat(copy.bestRound()).isOne();
    }

    @Test
    void isDone_roundsOrPatience_ends() {
        TrainingState state = new TrainingState();
        assertThat(state.isDone(1, 1)).isFalse();
        state.advance(metrics(0.5, 0.6), 1);
        assertThat(state.isDone(1, 0)).isTrue();
        assertThat(state.isDone(9, 1)).isFalse();
        state.advance(metrics(0.4, 0.7), 1);
        assertThat(state.isDone(9, 1)).isTrue();
        assertThat(state.isDone(9, 2)).isFalse();
    }

    @Test
    void restore_somethingElse_isRefused() {
        TrainingState state = new TrainingState();
        assertThatIllegalArgumentException().isThrownBy(() -> state.restore(new byte[] {9, 0}));
        assertThatIllegalArgumentException().isThrownBy(() -> state.restore(new byte[] {1, 0}));
    }

    @Test
    void advance_otherMetrics_isRefused() {
        TrainingState state = new TrainingState();
        state.advance(metrics(0.5, 0.6), 1);
        assertThatIllegalStateException().isThrownBy(() -> state.advance(Map.of("train-auc", 0.5), 1));
    }

    private static Map<String, Double> metrics(double train, double eval) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("train-logloss", train);
        metrics.put("eval-logloss", eval);
        return metrics;
    }
}
