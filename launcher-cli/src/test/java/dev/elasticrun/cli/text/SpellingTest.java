/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpellingTest {

    @ParameterizedTest
    @CsvSource({"'','',0", "a,'',1", "'',abc,3", "nodes,nnodes,1", "kitten,sitting,3", "--run,--run,0", "ab,ba,2"})
    void distance_isTheSameBothWays(String from, String to, int expected) {
        assertThat(Spelling.distance(from, to)).isEqualTo(expected);
        assertThat(Spelling.distance(to, from)).isEqualTo(expected);
    }
}
