/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.policy;

import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.restart.SoftNoReplace;
import dev.elasticrun.rendezvous.restart.WorkerFailure;
import java.util.stream.Collectors;

/**
 * Soft for the first restarts of the run. If workers still fail after them, it may be what the others have in memory that is
 * wrong: then all start again from their last checkpoint. {@code --restart-policy soft-at-first:first=2} is soft twice, which
 * is also what it is without the option.
 */
public final class SoftAtFirst implements RestartPolicyStrategy {
    private static final String OPTION = "first=";

    private final RestartPolicyStrategy soft = new SoftNoReplace();
    private final int first;

    /** As it is without an option. */
    public SoftAtFirst() {
        this(2);
    }

    private SoftAtFirst(int first) {
        this.first = first;
    }

    @Override
    public String name() {
        return "soft-at-first";
    }

    @Override
    public RestartPolicyStrategy withOption(String option) {
        if (!option.matches(OPTION + "\\d{1,6}")) {
            throw new IllegalArgumentException(OPTION + "N with N from 0 to 999999");
        }
        return new SoftAtFirst(Integer.parseInt(option.substring(OPTION.length())));
    }

    @Override
    public boolean workersOutliveRounds() {
        return true;
    }

    @Override
    public RestartDecision decide(GroupView view) {
        int before = view.restarts().charged();
        if (view.culprits().isEmpty() || before < first || view.budgetLeft() == 0) {
            return soft.decide(view);
        }
        String failures = view.failures().stream().map(WorkerFailure::text).collect(Collectors.joining("; "));
        return new RestartDecision.RestartAll(
                1, "workers of " + view.culprits() + " failed (" + failures + ") after " + before + " restarts");
    }
}
