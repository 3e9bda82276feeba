/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import java.util.List;
import java.util.function.Consumer;

/**
 * Calls a scheduler for one command. Methods block until the scheduler has answered; all but {@link #render} throw {@link
 * SchedulerException} when it cannot be reached, or refuses. Not safe for use by several threads.
 */
public interface Scheduler extends AutoCloseable {
    /**
     * What {@link #submit} would hand over, as text that the scheduler's own command takes. Calls nothing.
     *
     * @throws SchedulerException naming each option whose value is wrong
     */
    String render(JobSpec job);

    /** Starts a job. When it fails nothing of the job is left, or the exception names what is, and how it is removed. */
    SubmittedJob submit(JobSpec job);

    /** The caller's jobs that elastic-run submitted and that have not ended, the newest first. */
    List<JobSummary> list();

    /** @param id without the name of the scheduler */
    JobStatus status(String id);

    /**
     * The output of a job's agents, which has that of their workers.
     *
     * @param id without the name of the scheduler
     * @param follow whether to wait for more until the job has ended
     * @param line takes each line, without its end
     */
    void logs(String id, boolean follow, Consumer<String> line);

    /**
     * Changes how many nodes a job has from now on.
     *
     * @param id without the name of the scheduler
     * @param nodes within the bounds that the job was submitted with
     * @return a sentence about what was done
     */
    String scale(String id, int nodes);

    /**
     * Ends a job; its agents leave as they do on SIGTERM.
     *
     * @param id without the name of the scheduler
     */
    void cancel(String id);

    @Override
    void close();
}
