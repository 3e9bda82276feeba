/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DomainTest {
    static Stream<Domain> domains() {
        return Stream.of(
                new Domain.Uniform(-2, 3),
                new Domain.LogUniform(1e-4, 1),
                new Domain.Whole(2, 10, false),
                new Domain.Whole(1, 1000, true),
                new Domain.Choice(List.of("a", "b", "c")));
    }

    @ParameterizedTest
    @MethodSource("domains")
    void position_isTheInverse(Domain domain) {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1000; i++) {
            Object value = domain.at(random.nextDouble());
            double position = domain.position(value);
            assertThat(position).isBetween(0.0, 1.0);
            assertThat(sameAs(domain.at(position), value))
                    .as("%s of %s", value, domain)
                    .isTrue();
        }
    }

    private static boolean sameAs(Object one, Object other) {
        return one instanceof Double number ? Math.abs(number / (Double) other - 1) < 1e-9 : one.equals(other);
    }

    @Test
    void wholeNumbers_areEquallyLikely_endsIncluded() {
        Domain dice = new Domain.Whole(1, 6, false);
        int[] counts = new int[7];
        for (int i = 0; i < 6000; i++) {
            counts[((Long) dice.at(i / 6000.0)).intValue()]++;
        }
        assertThat(counts).containsExactly(0, 1000, 1000, 1000, 1000, 1000, 1000);
    }

    @Test
    void logarithms_areEquallyLikely() {
        assertThat((Double) new Domain.LogUniform(0.01, 100).at(0.5)).isCloseTo(1, within(1e-12));
        assertThat(new Domain.Whole(1, 100, true).at(0.5)).isEqualTo(7L);
        assertThat(new Domain.Whole(1, 100, true).at(0)).isEqualTo(1L);
        assertThat(new Domain.Whole(1, 100, true).at(0.999999)).isEqualTo(100L);
    }

    @Test
    void grid_hasBothEnds_orAllThereAre() {
        assertThat(new Domain.Uniform(0, 1).grid(3)).containsExactly(0.0, 0.5, 1.0);
        assertThat(new Domain.LogUniform(0.25, 4).grid(2)).containsExactly(0.25, 4.0);
        assertThat(new Domain.Whole(3, 5, false).grid(10)).containsExactly(3L, 4L, 5L);
        assertThat(new Domain.Choice(List.of(true, false)).grid(2)).containsExactly(true, false);
    }

    @Test
    void badInput_isNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Domain.Uniform(1, 1))
                .withMessage("[1.0, 1.0] (expected: two finite numbers, the lower one first)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Domain.LogUniform(0, 1))
                .withMessageContaining("above 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Domain.Whole(3, 2, false))
                .withMessageContaining("[3, 2]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Domain.Choice(List.of()))
                .withMessageContaining("no value");
    }
}
