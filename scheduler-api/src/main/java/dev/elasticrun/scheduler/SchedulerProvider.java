/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import java.util.List;
import java.util.Map;

/** A kind of scheduler, registered as a service. Its methods may be called by any thread. */
public interface SchedulerProvider {
    /** What {@code --scheduler} and ids of jobs call it, as in {@code slurm://42}: lower-case letters. */
    String name();

    /** What {@code --scheduler-args} may have, in the order of the help text. */
    List<JobOption> options();

    /**
     * A scheduler to call. Does not connect: a job can be rendered where no scheduler is.
     *
     * @param environment of the command
     */
    Scheduler open(Map<String, String> environment);
}
