/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a failure or a change of nodes does, and how often.
 *
 * @param policy name of the restart policy, given or by default; with its option after a colon if it has one
 */
public record RestartOptions(SettingValues values, String policy) {

    /** Jars and directories with more policies, separated by ':'. */
    public Optional<String> policyPath() {
        return values.find(Settings.POLICY_PATH);
    }

    public int maxRestarts() {
        return values.get(Settings.MAX_RESTARTS).max();
    }

    /** Within which time; zero = for as long as the run. */
    public Duration restartWindow() {
        return values.get(Settings.MAX_RESTARTS).window();
    }

    /** For how much progress a restart comes back; zero = none does. */
    public Duration restartRefund() {
        return values.get(Settings.RESTART_REFUND);
    }

    public RestartBudget budget() {
        return new RestartBudget(maxRestarts(), restartWindow(), restartRefund());
    }

    /** Workers of this node that wait without a rank. */
    public int spareWorkers() {
        return values.get(Settings.SPARE_WORKERS);
    }

    public List<Integer> noRetryExitCodes() {
        return values.get(Settings.NO_RETRY_EXIT_CODES);
    }

    /** Incidents in a row without a new checkpoint that end the run; 0 = as many as the budget allows. */
    public int noProgressLimit() {
        return values.get(Settings.NO_PROGRESS_LIMIT);
    }
}
