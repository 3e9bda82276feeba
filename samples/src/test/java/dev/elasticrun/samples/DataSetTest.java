/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class DataSetTest {
    @Test
    void holdsOutEveryFifthRow() {
        DataSet.Split split = BreastCancer.split();

        assertThat(split.heldOut().rows()).isEqualTo(114);
        assertThat(split.training().rows()).isEqualTo(455);
        int[] labels = CsvTable.read(BreastCancer.FILE).labels();
        assertThat(split.heldOut().labels()).startsWith(labels[0], labels[5], labels[10]);
        assertThat(split.training().labels()).startsWith(labels[1], labels[2], labels[3], labels[4], labels[6]);
    }

    @Test
    void standardisesWithTheTrainingPartOnly() {
        DataSet.Split split = BreastCancer.split();

        for (int column = 0; column < split.training().width(); column++) {
            int index = column;
            double[] values = Arrays.stream(split.training().features())
                    .mapToDouble(row -> row[index])
                    .toArray();
            double mean = Arrays.stream(values).average().orElseThrow();
            double variance = Arrays.stream(values).map(v -> v * v).average().orElseThrow();
            assertThat(mean).isCloseTo(0, within(1e-9));
            assertThat(variance).isCloseTo(1, within(1e-9));
        }
        double heldOutMean = Arrays.stream(split.heldOut().features())
                .mapToDouble(row -> row[0])
                .average()
                .orElseThrow();
        assertThat(Math.abs(heldOutMean)).isGreaterThan(1e-6);
    }

    @Test
    void aConstantColumnBecomesZero() {
        DataSet data = new DataSet(new double[][] {{1, 9}, {2, 7}, {4, 7}}, new int[] {0, 1, 0});

        DataSet.Split split = data.split();

        assertThat(split.training().features()).isDeepEqualTo(new double[][] {{-1, 0}, {1, 0}});
        assertThat(split.heldOut().features()).isDeepEqualTo(new double[][] {{-2, 2}});
    }

    @Test
    void refusesWhatCannotBeSplit() {
        assertThatThrownBy(() -> new DataSet(new double[][] {{1}}, new int[] {0}).split())
                .hasMessageStartingWith("rows: 1 (expected: >= 2,");
        assertThatThrownBy(() -> new DataSet(new double[][] {{1}}, new int[] {}))
                .hasMessageStartingWith("labels: 0 (expected: ");
    }
}
