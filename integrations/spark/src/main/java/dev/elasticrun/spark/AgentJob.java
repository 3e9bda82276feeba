/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.spark.bridge.AgentEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkStageInfo;
import org.apache.spark.SparkStatusTracker;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Range;
import scala.runtime.AbstractFunction0;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/**
 * One job with a task for each node that a run may have, the driver's side. Tasks wait for executors as other tasks do, so
 * that an executor which comes later is a node that joins. The job is over when one agent reports that the run is: tasks
 * that never started are cancelled.
 */
final class AgentJob {
    private static final Duration POLL = Duration.ofMillis(100);
    /** What Spark's view of running tasks may lag behind. */
    private static final Duration VIEW = Duration.ofSeconds(1);

    private final SparkContext context;
    private final String group;
    private final DriverView view;
    private final ProgressLog progress;
    private final SimpleFutureAction<BoxedUnit> action;
    private final BlockingQueue<AgentOutcome> arrived = new LinkedBlockingQueue<>();
    private final List<AgentOutcome> outcomes = new ArrayList<>();

    private AgentJob(SparkContext context, DriverView view, RDD<Integer> nodes, AgentTask task, ProgressLog progress) {
        this.context = context;
        this.group = view.name();
        this.view = view;
        this.progress = progress;
        this.action = context.submitJob(
                nodes,
                task,
                new Range.Exclusive(0, nodes.getNumPartitions(), 1),
                new OnResult(arrived),
                new AbstractFunction0<BoxedUnit>() {
                    @Override
                    public BoxedUnit apply() {
                        return BoxedUnit.UNIT;
                    }
                });
    }

    /**
     * Submits the job.
     *
     * @param name shown for it in Spark's pages
     */
    static AgentJob submit(SparkContext context, String name, int maxNodes, AgentPlan plan) {
        String group = "elastic-run-" + name;
        List<Integer> nodes = new ArrayList<>(Collections.nCopies(maxNodes, 0));
        RDD<Integer> data = JavaSparkContext.fromSparkContext(context)
                .parallelize(nodes, maxNodes)
                .setName(group)
                .rdd();
        RunProgress progress = new RunProgress();
        context.register(progress, group);
        DriverView view = new DriverView(group, maxNodes);
        RunsTab.show(context, view);
        ProgressLog log = new ProgressLog(view);
        context.addSparkListener(log);
        LocalGroup before = LocalGroup.of(context);
        context.setJobGroup(group, "elastic-run " + name, true);
        try {
            return new AgentJob(context, view, data, new AgentTask(plan, progress), log);
        } finally {
            before.restore(context);
        }
    }

    /**
     * Waits until the run is over on all executors.
     *
     * @param grace for agents to end, after the first one reported the end, and again once they are killed
     * @return what the run's agents ended with, the one that knows most first
     */
    List<AgentOutcome> await(Duration grace) throws InterruptedException {
        String ending = "ended before it was done";
        try {
            boolean isOver = false;
            while (!isOver && !action.isCompleted()) {
                isOver = take(POLL).filter(AgentOutcome::endsRun).isPresent();
            }
            awaitTasks(grace);
            List<AgentOutcome> sorted = sorted();
            ending = sorted.isEmpty() ? ending : sorted.get(0).end().reason();
            return sorted;
        } finally {
            view.ended(ending);
            context.removeSparkListener(progress);
            end(grace);
        }
    }

    /** Why the job failed by itself, if it did. */
    Optional<Throwable> failure() {
        Option<Try<BoxedUnit>> value = action.value();
        return value.isDefined() && value.get().isFailure()
                ? Optional.of(value.get().failed().get())
                : Optional.empty();
    }

    private Optional<AgentOutcome> take(Duration atMost) throws InterruptedException {
        Optional<AgentOutcome> outcome = Optional.ofNullable(arrived.poll(atMost.toMillis(), TimeUnit.MILLISECONDS));
        outcome.ifPresent(outcomes::add);
        return outcome;
    }

    private List<AgentOutcome> sorted() {
        arrived.drainTo(outcomes);
        return outcomes.stream()
                .sorted(Comparator.comparing(AgentOutcome::endsRun)
                        .thenComparing(outcome -> outcome.end().exitCode() != AgentEnd.UNUSABLE)
                        .thenComparing(outcome -> outcome.end().results().size())
                        .thenComparing(outcome -> outcome.end().report().length())
                        .reversed())
                .collect(Collectors.toList());
    }

    // The other agents learn from the store that the run is over. One that does not is killed with the job.
    private void awaitTasks(Duration grace) throws InterruptedException {
        long deadline = System.nanoTime() + grace.toNanos();
        long quiet = System.nanoTime();
        while (!action.isCompleted() && System.nanoTime() - deadline < 0) {
            if (take(POLL).isPresent() || running() > 0) {
                quiet = System.nanoTime();
            } else if (System.nanoTime() - quiet > VIEW.toNanos()) {
                return;
            }
        }
    }

    private void end(Duration grace) throws InterruptedException {
        if (action.isCompleted()) {
            return;
        }
        action.cancel();
        context.cancelJobGroup(group);
        long deadline = System.nanoTime() + grace.toNanos();
        while (running() > 0 && System.nanoTime() - deadline < 0) {
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        }
    }

    /** Tasks of this job that run, as Spark's pages show them. */
    private int running() {
        SparkStatusTracker tracker = context.statusTracker();
        return Arrays.stream(tracker.getJobIdsForGroup(group))
                .mapToObj(tracker::getJobInfo)
                .filter(Option::isDefined)
                .flatMapToInt(job -> Arrays.stream(job.get().stageIds()))
                .mapToObj(tracker::getStageInfo)
                .filter(Option::isDefined)
                .map(Option::get)
                .mapToInt(SparkStageInfo::numActiveTasks)
                .sum();
    }

    /** Spark's scheduler calls this, which must not wait. */
    private static final class OnResult extends AbstractFunction2<Object, byte[], BoxedUnit> {
        private final BlockingQueue<AgentOutcome> arrived;

        OnResult(BlockingQueue<AgentOutcome> arrived) {
            this.arrived = arrived;
        }

        @Override
        public BoxedUnit apply(Object partition, byte[] result) {
            arrived.add(AgentOutcome.of(result));
            return BoxedUnit.UNIT;
        }
    }

    /** The caller's own job group, which its thread has again afterwards; null for what it had not. */
    private record LocalGroup(List<@Nullable String> values) {
        private static final List<String> PROPERTIES =
                List.of("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel");

        static LocalGroup of(SparkContext context) {
            List<@Nullable String> values = new ArrayList<>();
            PROPERTIES.forEach(name -> values.add(context.getLocalProperty(name)));
            return new LocalGroup(values);
        }

        void restore(SparkContext context) {
            for (int i = 0; i < values.size(); i++) {
                context.setLocalProperty(PROPERTIES.get(i), values.get(i));
            }
        }
    }
}
