/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.elasticrun.agent.config.LogPrefix;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.config.StreamMap;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is on the console, and after which prefix. */
final class ConsoleOptionsTest {
    private static final ConsoleOptions DEFAULT = new ConsoleOptions(SettingValues.DEFAULTS);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 0",
                "none | 0",
                "3 | 3",
                "both | 3",
                "0:1,1:2 | 0:1,1:2",
                "1:err,0:out | 0:1,1:2",
                "12:3 | 12:3"
            })
    void l3_map_isReadByNumberAndByName(String text, String expected) {
        assertThat(StreamMap.parse(text).text()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "11", "4", "-1", "all", "0:1,", ",0:1", "0:", ":1", "0:4", "0:1,0:2", "0:1 1:2", "a:1"})
    void l3_badMap_isRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StreamMap.parse(text))
                .withMessageContaining("such as 0:1,1:err");
    }

    @Test
    void l3_redirectsAndTee_landExactlyThere() {
        ConsoleOptions options = new ConsoleOptions(SettingValues.DEFAULTS
                .with(Settings.REDIRECTS, StreamMap.parse("0:err"))
                .with(Settings.TEE, StreamMap.parse("0:out,1:err")));

        assertThat(options.showsStdout(0, true)).isTrue();
        assertThat(options.showsStderr(0)).isFalse();
        assertThat(options.showsStdout(1, false)).isFalse();
        assertThat(options.showsStderr(1)).isTrue();
        assertThat(options.showsStdout(2, false)).isFalse();
        assertThat(options.showsStderr(2)).isFalse();
    }

    @Test
    void shows_noOption_isErrorsOfAllAndOutputOfRankZero() {
        assertThat(DEFAULT.showsStderr(1)).isTrue();
        assertThat(DEFAULT.showsStdout(0, true)).isTrue();
        assertThat(DEFAULT.showsStdout(0, false)).isFalse();
    }

    @Test
    void shows_redirected_isInTheLogsOnly() {
        ConsoleOptions options =
                new ConsoleOptions(SettingValues.DEFAULTS.with(Settings.REDIRECTS, StreamMap.parse("0:1,1:2")));

        assertThat(options.showsStdout(0, true)).isFalse();
        assertThat(options.showsStderr(0)).isTrue();
        assertThat(options.showsStderr(1)).isFalse();
    }

    @Test
    void shows_localRanksFilter_winsOverTee() {
        ConsoleOptions options = new ConsoleOptions(SettingValues.DEFAULTS
                .with(Settings.TEE, StreamMap.parse("3"))
                .with(Settings.LOCAL_RANKS_FILTER, Set.of(1)));

        assertThat(options.showsStdout(1, false)).isTrue();
        assertThat(options.showsStdout(0, true)).isFalse();
        assertThat(options.showsStderr(0)).isFalse();
    }

    @Test
    void l3_prefix_isOfTheTemplate() {
        LogPrefix.Worker worker = new LogPrefix.Worker("run", "host-a1", "host", "trainer", 2, 1, 14);

        assertThat(new LogPrefix("[rank${rank}]:").of(worker)).isEqualTo("[rank14]:");
        assertThat(new LogPrefix("${host} ${node} ${run_id} ${role_name} ${local_rank}.${attempt} $5 \\").of(worker))
                .isEqualTo("host host-a1 run trainer 2.1 $5 \\");
        assertThat(DEFAULT.prefix().of(worker)).isEqualTo("[trainer 14]:");
        assertThat(DEFAULT.prefix().of(new LogPrefix.Worker("run", "n", "h", "trainer", 2, 0, -1)))
                .isEqualTo("[trainer local 2]:");
    }

    @Test
    void l3_prefixWithAnUnknownVariable_isRefusedWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LogPrefix("[${world}]"))
                .withMessageContaining("${rank}, ${local_rank}");
    }
}
