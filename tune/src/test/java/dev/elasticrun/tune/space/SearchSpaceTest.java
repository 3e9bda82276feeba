/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SearchSpaceTest {
    private static final Parameter BOOSTER = Parameter.of("booster", new Domain.Choice(List.of("gbtree", "dart")));
    private static final Parameter DROP =
            Parameter.of("rate_drop", new Domain.Uniform(0, 1)).when("booster", List.of("dart"));
    private static final Parameter ETA = Parameter.of("eta", new Domain.Uniform(0, 1));

    @Test
    void condition_leavesAParameterOut_andDoesNotShiftTheOthers() {
        SearchSpace space = new SearchSpace(List.of(BOOSTER, DROP, ETA));

        assertThat(space.at(new double[] {0.2, 0.5, 0.75})).isEqualTo(Map.of("booster", "gbtree", "eta", 0.75));
        assertThat(space.at(new double[] {0.7, 0.5, 0.75}))
                .isEqualTo(Map.of("booster", "dart", "rate_drop", 0.5, "eta", 0.75));
    }

    @Test
    void grid_hasOneOfWhatDoesNotApply() {
        assertThat(new SearchSpace(List.of(BOOSTER, DROP)).grid(2))
                .containsExactly(
                        Map.of("booster", "gbtree"),
                        Map.of("booster", "dart", "rate_drop", 0.0),
                        Map.of("booster", "dart", "rate_drop", 1.0));
    }

    @Test
    void conditionThatCanNeverHold_isNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SearchSpace(List.of(DROP, BOOSTER)))
                .withMessage("rate_drop: when booster (expected: a choice that is given before it, of [])");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SearchSpace(List.of(BOOSTER, ETA.when("booster", List.of("gblinear")))))
                .withMessage("eta: when booster is [gblinear] (expected: values of [gbtree, dart])");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SearchSpace(List.of(ETA, ETA)))
                .withMessage("eta: given again (expected: once)");
    }
}
