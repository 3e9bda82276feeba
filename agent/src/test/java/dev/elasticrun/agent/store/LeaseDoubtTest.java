/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LeaseDoubtTest {
    private static final List<String> MEETING = List.of("localhost:29400");

    @Test
    void of_oneNodeThatServesAndMeetsNobody_hasNoOthers() {
        assertThat(doubt(one(), true)).isEqualTo(LeaseDoubt.NO_OTHERS);
        assertThat(doubt(one().standalone(true), true)).isEqualTo(LeaseDoubt.NO_OTHERS);
        assertThat(doubt(one().standalone(true).rdzvEndpoints(MEETING), true)).isEqualTo(LeaseDoubt.NO_OTHERS);
    }

    /** One node on standby may be there, too. */
    @Test
    void of_oneNodeThatServesWhereOthersMeetIt_countsOnThem() {
        assertThat(doubt(one().rdzvEndpoints(MEETING), true)).isEqualTo(LeaseDoubt.OTHERS_PAUSE);
    }

    @Test
    void of_severalNodes_countsOnThem() {
        assertThat(doubt(several(), true)).isEqualTo(LeaseDoubt.OTHERS_PAUSE);
        assertThat(doubt(several().rdzvEndpoints(MEETING), true)).isEqualTo(LeaseDoubt.OTHERS_PAUSE);
    }

    @Test
    void of_storeElsewhere_countsOnOthersThatContinue() {
        assertThat(doubt(one().rdzvEndpoints(MEETING), false)).isEqualTo(LeaseDoubt.OTHERS_CONTINUE);
        assertThat(doubt(several().rdzvEndpoints(MEETING), false)).isEqualTo(LeaseDoubt.OTHERS_CONTINUE);
    }

    private static LaunchConfigBuilder one() {
        return LaunchConfig.builder("true");
    }

    private static LaunchConfigBuilder several() {
        return one().nnodes(1, 3);
    }

    private static LeaseDoubt doubt(LaunchConfigBuilder builder, boolean isServedHere) {
        return LeaseDoubt.of(builder.unchecked(), isServedHere);
    }
}
