/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import dev.elasticrun.scheduler.JobOption;
import dev.elasticrun.scheduler.Scheduler;
import dev.elasticrun.scheduler.SchedulerProvider;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The scheduler {@code slurm}. */
public final class SlurmProvider implements SchedulerProvider {
    static final String NAME = "slurm";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<JobOption> options() {
        return Arrays.stream(SlurmOption.values()).map(SlurmOption::described).toList();
    }

    @Override
    public Scheduler open(Map<String, String> environment) {
        return new SlurmScheduler(new SlurmCommands(environment));
    }
}
