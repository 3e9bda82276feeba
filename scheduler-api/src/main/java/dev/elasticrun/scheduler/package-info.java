/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What {@code elastic-run submit} and the commands about submitted jobs need of a scheduler that starts agents on nodes.
 *
 * <pre>{@code
 * package example;
 *
 * import dev.elasticrun.scheduler.JobOption;
 * import dev.elasticrun.scheduler.JobSpec;
 * import dev.elasticrun.scheduler.JobStatus;
 * import dev.elasticrun.scheduler.JobSummary;
 * import dev.elasticrun.scheduler.Scheduler;
 * import dev.elasticrun.scheduler.SchedulerException;
 * import dev.elasticrun.scheduler.SchedulerProvider;
 * import dev.elasticrun.scheduler.SubmittedJob;
 * import java.util.List;
 * import java.util.Map;
 * import java.util.function.Consumer;
 *
 * // Renders a script for a batch system, which its users hand over themselves.
 * public final class BatchScripts implements SchedulerProvider {
 *     @Override
 *     public String name() {
 *         return "batch";
 *     }
 *
 *     @Override
 *     public List<JobOption> options() {
 *         return List.of(new JobOption("queue", "NAME", "The queue. Default: day."));
 *     }
 *
 *     @Override
 *     public Scheduler open(Map<String, String> environment) {
 *         return new RenderOnly();
 *     }
 *
 *     private static final class RenderOnly implements Scheduler {
 *         @Override
 *         public String render(JobSpec job) {
 *             return "#BATCH queue=" + job.options().getOrDefault("queue", "day") + "\nelastic-run "
 *                     + String.join(" ", job.flags()) + " " + String.join(" ", job.command()) + "\n";
 *         }
 *
 *         @Override
 *         public SubmittedJob submit(JobSpec job) {
 *             throw refusal();
 *         }
 *
 *         @Override
 *         public List<JobSummary> list() {
 *             throw refusal();
 *         }
 *
 *         @Override
 *         public JobStatus status(String id) {
 *             throw refusal();
 *         }
 *
 *         @Override
 *         public void logs(String id, boolean follow, Consumer<String> line) {
 *             throw refusal();
 *         }
 *
 *         @Override
 *         public String scale(String id, int nodes) {
 *             throw refusal();
 *         }
 *
 *         @Override
 *         public void cancel(String id) {
 *             throw refusal();
 *         }
 *
 *         @Override
 *         public void close() {}
 *
 *         private static SchedulerException refusal() {
 *             return new SchedulerException(List.of("batch: cannot be called (expected: submit --dry-run)"));
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>A scheduler is a module of its own with a {@link dev.elasticrun.scheduler.SchedulerProvider}, found by {@link
 * java.util.ServiceLoader}. No type here knows an agent or a store.
 */
@NullMarked
package dev.elasticrun.scheduler;

import org.jspecify.annotations.NullMarked;
