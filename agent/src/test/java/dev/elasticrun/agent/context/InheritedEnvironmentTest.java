/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class InheritedEnvironmentTest {
    private static final Map<String, String> OWN = Map.of("LC_ALL", "C.UTF-8", "A", "1");

    @Test
    void localeOfTheCaller_isGivenBack() {
        assertThat(InheritedEnvironment.of(OWN, "=POSIX")).isEqualTo(Map.of("LC_ALL", "POSIX", "A", "1"));
        assertThat(InheritedEnvironment.of(OWN, "")).isEqualTo(Map.of("A", "1"));
        assertThat(InheritedEnvironment.of(OWN, null)).isEqualTo(OWN);
    }

    @Test
    void variablesOfTheRuntime_areNotInherited() {
        assertThat(InheritedEnvironment.without(Set.of("A", "B"), OWN)).isEqualTo(Map.of("LC_ALL", "C.UTF-8"));
    }
}
