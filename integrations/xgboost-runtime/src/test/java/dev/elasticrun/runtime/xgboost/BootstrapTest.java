/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class BootstrapTest {
    private final Bootstrap bootstrap = new Bootstrap(17, 3);

    @Test
    void arrive_inAnyOrder_makesARingByRank() {
        bootstrap.arrive("2", "c", 3, "third");
        bootstrap.arrive("g00017-r0000", "a", 1, "first");
        assertThat(bootstrap.isComplete()).isFalse();
        bootstrap.arrive("1", "b", 2, "second");

        assertThat(bootstrap.isComplete()).isTrue();
        assertThat(bootstrap.places())
                .extracting(
                        place -> place.rank() + " to " + bootstrap.next(place).host())
                .containsExactly("0 to b", "1 to c", "2 to a");
    }

    @Test
    void arrive_again_takesItsOwnPlace() {
        assertThat(bootstrap.arrive("1", "b", 2, "before")).isEmpty();

        assertThat(bootstrap.arrive("1", "b", 9, "after")).contains("before");
        assertThat(bootstrap.places()).singleElement().satisfies(place -> assertThat(place.port())
                .isEqualTo(9));
    }

    @Test
    void leave_givesThePlaceFree() {
        bootstrap.arrive("0", "a", 1, "first");
        bootstrap.leave("first");

        assertThat(bootstrap.places()).isEmpty();
    }

    @Test
    void refusal_namesWhatIsWrong() {
        assertThat(bootstrap.refusal("2")).isEmpty();
        assertThat(bootstrap.refusal("g17-r2")).isEmpty();
        assertThat(bootstrap.refusal("3")).hasValue("task id: '3' (expected: a rank below 3)");
        assertThat(bootstrap.refusal("g00016-r0001"))
                .hasValue("task id: 'g00016-r0001' of round 16 (expected: of round 17)");
        assertThat(bootstrap.refusal("")).hasValue("task id: '' (expected: a rank, or g<round>-r<rank>)");
        assertThat(bootstrap.refusal("one")).isPresent();
    }

    @Test
    void worldOfNobody_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Bootstrap(1, 0));
    }
}
