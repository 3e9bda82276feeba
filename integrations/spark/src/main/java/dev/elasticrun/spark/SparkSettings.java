/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.spark.SparkContext;
import scala.Tuple2;

/**
 * Settings of an application that decide whether agents in its tasks are elastic. Pure.
 *
 * @param values by name, as Spark has them
 */
record SparkSettings(Map<String, String> values) {
    /** As many executors may be lost while a run works. */
    private static final int FAILURES = 100;

    /** Of YARN and Kubernetes. */
    private static final int EXECUTORS_BY_DEFAULT = 2;

    private static final String MASTER = "spark.master";
    static final String DEPLOY_MODE = "spark.submit.deployMode";
    static final String MAX_FAILURES = "spark.task.maxFailures";
    static final String MAX_EXECUTOR_FAILURES = "spark.executor.maxNumFailures";

    /** The name that it had before Spark 3.5, which still counts. */
    private static final String MAX_EXECUTOR_FAILURES_BEFORE = "spark.yarn.max.executor.failures";

    private static final String SPECULATION = "spark.speculation";
    private static final String TASK_CPUS = "spark.task.cpus";
    private static final String EXECUTOR_CORES = "spark.executor.cores";
    private static final String MAX_CORES = "spark.cores.max";
    private static final String INSTANCES = "spark.executor.instances";
    private static final String DYNAMIC = "spark.dynamicAllocation.enabled";
    private static final String MAX_EXECUTORS = "spark.dynamicAllocation.maxExecutors";
    private static final List<String> EXCLUSION = List.of(
            "spark.excludeOnFailure.enabled",
            "spark.excludeOnFailure.application.enabled",
            "spark.excludeOnFailure.taskAndStage.enabled");

    SparkSettings {
        values = Map.copyOf(values);
    }

    static SparkSettings of(SparkContext context) {
        Map<String, String> values = new HashMap<>();
        for (Tuple2<String, String> value : context.getConf().getAll()) {
            values.put(value._1(), value._2());
        }
        return new SparkSettings(values);
    }

    /** Processors of a task. */
    int taskCpus() {
        return number(TASK_CPUS).orElse(1);
    }

    /**
     * All that breaks elasticity, each with the setting, its value, and what is expected.
     *
     * @param minNodes executors that the run needs
     */
    List<String> violations(int minNodes) {
        List<String> violations = new ArrayList<>();
        String master = values.getOrDefault(MASTER, "");
        if (master.equals("local") || master.startsWith("local[")) {
            violations.add(line(MASTER, "a cluster: all tasks of a local master are in one process, the driver's"));
        }
        if (number(MAX_FAILURES).orElse(4) < FAILURES) {
            violations.add(line(
                    MAX_FAILURES,
                    "at least " + FAILURES + ": each executor that is lost is a failure of the agent's task"));
        }
        checkExecutorFailures(violations);
        mustBeFalse(SPECULATION, "a copy of an agent's task would be one node more", violations);
        EXCLUSION.forEach(
                setting -> mustBeFalse(setting, "the host of a lost executor would get no other one", violations));
        checkTasks(violations);
        violations.addAll(tooFewExecutors(minNodes, "the minimum of nodes"));
        return violations;
    }

    // YARN and Kubernetes end an application by it, and have a small number otherwise.
    private void checkExecutorFailures(List<String> violations) {
        if (!isOnYarnOrKubernetes()) {
            return;
        }
        String setting = number(MAX_EXECUTOR_FAILURES).isEmpty()
                        && number(MAX_EXECUTOR_FAILURES_BEFORE).isPresent()
                ? MAX_EXECUTOR_FAILURES_BEFORE
                : MAX_EXECUTOR_FAILURES;
        if (number(setting).orElse(executorFailuresByDefault()) < FAILURES) {
            violations.add(line(
                    setting,
                    "at least " + FAILURES + ": the application fails when so many executors were lost; in cluster mode"
                            + " it must be given to spark-submit"));
        }
    }

    /** Twice the number of executors, and at least three. */
    private int executorFailuresByDefault() {
        int executors = isDynamic()
                ? number(MAX_EXECUTORS).orElse(FAILURES)
                : number(INSTANCES).orElse(EXECUTORS_BY_DEFAULT);
        return Math.max(3, 2 * executors);
    }

    private boolean isDynamic() {
        return Boolean.parseBoolean(values.getOrDefault(DYNAMIC, "false"));
    }

    private void checkTasks(List<String> violations) {
        OptionalInt cores = number(EXECUTOR_CORES);
        int cpus = taskCpus();
        if (cores.isPresent() && cores.getAsInt() >= 2 * cpus) {
            violations.add(line(
                    TASK_CPUS,
                    values.getOrDefault(TASK_CPUS, "not set, so 1"),
                    "more than half of " + EXECUTOR_CORES + " = " + cores.getAsInt()
                            + ", so that an executor has one agent"));
        }
        // There an executor has all cores of its host otherwise.
        if (cores.isEmpty() && values.getOrDefault(MASTER, "").startsWith("spark:")) {
            violations.add(line(EXECUTOR_CORES, cpus + ", as " + TASK_CPUS + ", so that an executor has one agent"));
        }
    }

    /**
     * What keeps an application from having as many executors as a run has nodes: each setting with its value, and what is
     * expected.
     *
     * @param what the number of nodes is
     */
    List<String> tooFewExecutors(int nodes, String what) {
        List<String> found = new ArrayList<>();
        String needed = "for at least " + nodes + " executors, " + what;
        OptionalInt maxCores = number(MAX_CORES);
        int cores = number(EXECUTOR_CORES).orElse(taskCpus());
        if (maxCores.isPresent() && maxCores.getAsInt() / Math.max(1, cores) < nodes) {
            found.add(line(MAX_CORES, needed + " of " + cores + " cores: " + nodes * cores));
        }
        String limit = isDynamic() ? MAX_EXECUTORS : INSTANCES;
        OptionalInt given = number(limit);
        if (given.isPresent() && given.getAsInt() < nodes) {
            found.add(line(limit, needed));
        } else if (given.isEmpty() && hasTwoByDefault() && nodes > EXECUTORS_BY_DEFAULT) {
            found.add(line(limit, "not set, so " + EXECUTORS_BY_DEFAULT, needed));
        }
        return found;
    }

    // A standalone cluster gives an application all that it has.
    private boolean hasTwoByDefault() {
        return isOnYarnOrKubernetes() && !isDynamic();
    }

    private boolean isOnYarnOrKubernetes() {
        String master = values.getOrDefault(MASTER, "");
        return master.startsWith("yarn") || master.startsWith("k8s:");
    }

    private void mustBeFalse(String setting, String why, List<String> violations) {
        if (Boolean.parseBoolean(values.getOrDefault(setting, "false"))) {
            violations.add(line(setting, "false: " + why));
        }
    }

    private OptionalInt number(String setting) {
        String value = values.getOrDefault(setting, "");
        return value.matches("[0-9]{1,9}") ? OptionalInt.of(Integer.parseInt(value)) : OptionalInt.empty();
    }

    private String line(String setting, String expected) {
        return line(setting, values.getOrDefault(setting, "not set"), expected);
    }

    private static String line(String setting, String value, String expected) {
        return setting + ": " + value + " (expected: " + expected + ")";
    }
}
