/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class WitnessedPlannerTest {

    /** A default of the interface in place of one would be a planner without that trait. */
    @Test
    void witness_hasAllTraitsOfItsPolicy() {
        List<String> traits = Stream.of(RestartPolicyStrategy.class.getMethods())
                .filter(method -> method.getParameterCount() == 0)
                .map(Method::getName)
                // Chosen before there is a planner.
                .filter(name -> !name.equals("withSpares"))
                .toList();

        assertThat(WitnessedPlanner.class.getDeclaredClasses())
                .filteredOn(RestartPolicyStrategy.class::isAssignableFrom)
                .singleElement()
                .satisfies(witness -> assertThat(witness.getDeclaredMethods())
                        .extracting(Method::getName)
                        .containsAll(traits));
    }
}
