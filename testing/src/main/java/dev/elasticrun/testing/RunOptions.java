/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run of a test consists of.
 *
 * @param nodes agents that are started first, and the most that work together; at least 1
 * @param workersPerNode at least 1
 * @param policy as {@code --restart-policy} takes it
 * @param flags of {@code elastic-run}, which precede all that is set here
 * @param environment of agents and workers, beside that of the tests
 * @param patience of waits without a limit of their own; more than zero
 */
record RunOptions(
        int nodes,
        int workersPerNode,
        String policy,
        List<String> flags,
        Map<String, String> environment,
        Duration patience) {
    static final RunOptions DEFAULTS = new RunOptions(
            ElasticRunTest.NODES,
            ElasticRunTest.WORKERS_PER_NODE,
            ElasticRunTest.POLICY,
            List.of(),
            Map.of(),
            Duration.ofSeconds(ElasticRunTest.PATIENCE_SECONDS));

    private static final String JAVA_OPTS = "ELASTICRUN_JAVA_OPTS";
    /** Workers of tests need little and live shortly: a smaller collector and compiler leave more for the others. */
    private static final String SMALL_JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    /** The default of the command: a program that cannot start ends its run soon. */
    private static final String RESTARTS = "3";

    RunOptions {
        atLeastOne("nodes", nodes);
        atLeastOne("workersPerNode", workersPerNode);
        if (patience.isZero() || patience.isNegative()) {
            throw new IllegalArgumentException("patience: " + patience + " (expected: more than zero)");
        }
        flags = List.copyOf(flags);
        environment = Map.copyOf(environment);
    }

    static RunOptions of(ElasticRunTest annotation) {
        return new RunOptions(
                annotation.nodes(),
                annotation.workersPerNode(),
                annotation.policy(),
                List.of(annotation.flags()),
                Map.of(),
                Duration.ofSeconds(annotation.patienceSeconds()));
    }

    RunOptions withNodes(int value) {
        return new RunOptions(value, workersPerNode, policy, flags, environment, patience);
    }

    RunOptions withWorkersPerNode(int value) {
        return new RunOptions(nodes, value, policy, flags, environment, patience);
    }

    RunOptions withPolicy(String value) {
        return new RunOptions(nodes, workersPerNode, value, flags, environment, patience);
    }

    RunOptions withFlags(List<String> more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(more);
        return new RunOptions(nodes, workersPerNode, policy, all, environment, patience);
    }

    RunOptions withVariable(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.put(name, value);
        return new RunOptions(nodes, workersPerNode, policy, flags, all, patience);
    }

    RunOptions withPatience(Duration value) {
        return new RunOptions(nodes, workersPerNode, policy, flags, environment, value);
    }

    /**
     * Flags of an agent. Of a flag that is there twice the last one counts: those of the test win.
     *
     * @param more flags beside these
     */
    List<String> line(List<String> more) {
        List<String> line = new ArrayList<>(List.of(
                "--nnodes",
                "1:" + nodes,
                "--nproc-per-node",
                Integer.toString(workersPerNode),
                "--restart-policy",
                policy,
                "--max-restarts",
                RESTARTS,
                "--class-data",
                "off"));
        line.addAll(more);
        line.addAll(flags);
        return line;
    }

    /** What agents have beside the variables of this process. */
    Map<String, String> variables(Map<String, String> own) {
        Map<String, String> variables = new LinkedHashMap<>();
        if (!own.containsKey(JAVA_OPTS)) {
            variables.put(JAVA_OPTS, SMALL_JVM);
        }
        variables.putAll(environment);
        return variables;
    }

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 1 or more)");
        }
    }
}
