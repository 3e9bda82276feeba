/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyOptionTest {
    private static final GroupView WELL = new GroupView(1, List.of(), 0, false, 3);

    private static RestartPolicyStrategy chosen(String text) {
        return GivenPolicy.parse("--restart-policy", text).of(new Own("", true));
    }

    /** Of a user: keeps everything, and gives its option as the reason. */
    private record Own(String option, boolean hasSpares) implements RestartPolicyStrategy {
        @Override
        public String name() {
            return hasSpares ? "own" : "own with spares";
        }

        @Override
        public RestartPolicyStrategy withOption(String given) {
            if (given.equals("null")) {
                throw new NullPointerException("bug");
            } else if (given.equals("bad")) {
                throw new IllegalArgumentException("anything else");
            }
            return new Own(given, hasSpares);
        }

        @Override
        public Optional<RestartPolicyStrategy> withSpares() {
            return hasSpares ? Optional.of(new Own(option, false)) : Optional.empty();
        }

        @Override
        public boolean workersOutliveRounds() {
            return true;
        }

        @Override
        public RestartDecision decide(GroupView view) {
            return new RestartDecision.Keep(option);
        }
    }

    @Test
    void option_followsTheFirstColon_andIsAPartOfTheName() {
        RestartPolicyStrategy policy = chosen("own:first=2:x");

        assertThat(policy.decide(WELL).reason()).isEqualTo("first=2:x");
        assertThat(policy.name()).isEqualTo("own:first=2:x");
        assertThat(policy.workersOutliveRounds()).isTrue();
    }

    @Test
    void option_none_isThePolicyItself() {
        assertThat(chosen("own")).isEqualTo(new Own("", true));
    }

    @Test
    void option_nodesWithSpares_isThatOfTheirPolicy() {
        assertThat(chosen("own:a").withSpares()).hasValueSatisfying(spared -> {
            assertThat(spared.name()).isEqualTo("own with spares:a");
            assertThat(spared.decide(WELL).reason()).isEqualTo("a");
            assertThat(spared.withSpares()).isEmpty();
        });
    }

    @Test
    void option_refused_namesFlagValueAndExpectation() {
        assertThatThrownBy(() -> chosen("own:bad"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--restart-policy: own:bad (expected: anything else)");
        assertThatThrownBy(() -> chosen("own:"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--restart-policy: own: (expected: an option after the colon, or own)");
    }

    @Test
    void option_policyThrowsSomethingElse_isRefusedWithIt() {
        assertThatThrownBy(() -> chosen("own:null"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--restart-policy: own:null ", "NullPointerException: bug");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hard", "soft", "soft-no-replace", "soft-replace", "soft-elastic"})
    void option_ofABuiltInPolicy_isRefused(String name) {
        assertThatThrownBy(() -> RestartPolicies.byName(name + ":first=2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--restart-policy: " + name + ":first=2 (expected: "
                        + RestartPolicies.byName(name).name() + " without an option)");
        assertThatThrownBy(() -> RestartPolicies.byNameOrClass("--policy", name + ":first=2", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--policy: " + name + ":first=2 ");
    }

    @Test
    void option_ofAnUnknownPolicy_isNamedWithIt() {
        assertThatThrownBy(() -> RestartPolicies.byName("gentle:first=2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--restart-policy: gentle:first=2 (expected: soft or one of hard,");
    }

    /** A default of the interface in place of one would be a policy without that trait. */
    @Test
    void policyWithOption_hasAllTraitsOfItsPolicy() {
        List<String> traits = Stream.of(RestartPolicyStrategy.class.getMethods())
                .filter(method -> method.getParameterCount() == 0)
                .map(Method::getName)
                .toList();

        assertThat(PolicyWithOption.class.getDeclaredMethods())
                .extracting(Method::getName)
                .containsAll(traits);
    }
}
