/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is before each line of a worker on the console. Pure.
 *
 * @param template text with {@code ${rank}}, {@code ${local_rank}}, {@code ${role_name}}, {@code ${node}}, {@code
 *     ${host}}, {@code ${run_id}} and {@code ${attempt}}
 */
public record LogPrefix(String template) {
    private static final List<String> NAMES =
            List.of("rank", "local_rank", "role_name", "node", "host", "run_id", "attempt");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w*)}");

    public LogPrefix {
        check(template);
    }

    // Throws IllegalArgumentException that states what was expected.
    private static void check(String template) {
        Matcher variables = VARIABLE.matcher(template);
        while (variables.find()) {
            if (!NAMES.contains(variables.group(1))) {
                throw new IllegalArgumentException("only ${" + String.join("}, ${", NAMES) + "} in it");
            }
        }
    }

    /** @param rank -1 = none yet: then it is {@code local} and the local rank */
    public record Worker(String runId, String node, String host, String role, int localRank, int attempt, int rank) {}

    public String of(Worker worker) {
        return VARIABLE.matcher(template).replaceAll(match -> Matcher.quoteReplacement(value(match.group(1), worker)));
    }

    private static String value(String name, Worker worker) {
        return switch (name) {
            case "rank" -> worker.rank() < 0 ? "local " + worker.localRank() : Integer.toString(worker.rank());
            case "local_rank" -> Integer.toString(worker.localRank());
            case "role_name" -> worker.role();
            case "node" -> worker.node();
            case "host" -> worker.host();
            case "run_id" -> worker.runId();
            case "attempt" -> Integer.toString(worker.attempt());
            default -> throw new IllegalStateException("no variable " + name);
        };
    }
}
