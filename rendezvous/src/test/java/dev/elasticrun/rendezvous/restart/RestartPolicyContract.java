/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.plan.PolicyAdvice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What every restart policy has to keep, a user's own as well; run on each by a subclass. */
public abstract class RestartPolicyContract {
    private static final int VIEWS = 5_000;
    private static final List<MemberState> STATES = List.of(MemberState.values());
    private static final List<WorkerFailure.Kind> KINDS = List.of(WorkerFailure.Kind.values());

    protected abstract RestartPolicyStrategy policy();

    @Test
    void policy_byItsName_isFound() {
        assertThat(RestartPolicies.byName(policy().name()).getClass()).isEqualTo(policy().getClass());
    }

    @Test
    void name_hasNoColon() {
        assertThat(policy().name()).isNotBlank().doesNotContain(":");
    }

    @Test
    void policy_thatReplacesWorkers_letsThemOutliveRounds() {
        assertThat(policy().workersOutliveRounds() || !policy().replacesWorkers())
                .isTrue();
        assertThat(policy().workersOutliveRounds() || !policy().elasticWorkers())
                .isTrue();
    }

    @Test
    void decide_sameViewTwice_isTheSameDecisionWithAReason() {
        forEachView((view, shown) -> {
            RestartDecision decision = policy().decide(view);
            assertThat(policy().decide(view)).as(shown).isEqualTo(decision);
            assertThat(decision.reason()).as(shown).isNotBlank();
        });
    }

    @Test
    void decide_anyGroup_canBeDone() {
        PolicyAdvice advice = new PolicyAdvice(policy());
        forEachView((view, shown) -> assertThat(advice.decide(view)).as(shown).isNotNull());
    }

    @Test
    void decide_allIsWell_keepsTheRound() {
        forEachView((view, shown) -> {
            boolean well = view.members().stream().allMatch(member -> isWell(member.state()));
            if (well && !view.brokenLinks() && view.readyNewcomers() + view.readyWorkers() == 0) {
                assertThat(policy().decide(view)).as(shown).isInstanceOf(RestartDecision.Keep.class);
            }
        });
    }

    private static boolean isWell(MemberState state) {
        return switch (state) {
            case HEALTHY, DONE, REPLACING -> true;
            case FAILED, LOST, LEAVING, EXCLUDED, FENCED -> false;
        };
    }

    private interface Check {
        void check(GroupView view, String shown);
    }

    private void forEachView(Check check) {
        for (int seed = 0; seed < VIEWS; seed++) {
            GroupView view = anyView(new Random(seed), policy().elasticWorkers());
            check.check(view, "seed " + seed + " " + view);
        }
    }

    private static GroupView anyView(Random random, boolean elastic) {
        List<GroupView.Member> members = new ArrayList<>();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            MemberState state = STATES.get(random.nextInt(STATES.size()));
            boolean failed = state == MemberState.FAILED;
            members.add(new GroupView.Member(
                    "n" + i,
                    state,
                    failed && random.nextBoolean(),
                    failed && elastic ? random.nextInt(3) : 0,
                    failed ? anyFailures(random) : List.of(),
                    random.nextInt(4)));
        }
        int used = random.nextInt(4);
        return new GroupView(
                7,
                members,
                random.nextInt(3),
                elastic ? random.nextInt(2) : 0,
                random.nextInt(4) == 0,
                new GroupView.Restarts(used + random.nextInt(3), used, 3));
    }

    /** Also none: an agent may not have reported them. */
    private static List<WorkerFailure> anyFailures(Random random) {
        List<WorkerFailure> failures = new ArrayList<>();
        int count = random.nextInt(3);
        for (int i = 0; i < count; i++) {
            WorkerFailure.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            failures.add(new WorkerFailure(i, i - 1, kind, random.nextInt(257) - 1, "m", random.nextBoolean()));
        }
        return failures;
    }
}
