/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import dev.elasticrun.scheduler.JobSpec;
import dev.elasticrun.scheduler.SchedulerException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a job was given, checked. Pure. */
final class SlurmOptions {
    private static final int LAST_PORT = 65535;
    private static final String ENDPOINT = "--rdzv-endpoint";
    private static final String KEY_FILE = "--run-key-file";
    /** The file, or the answer of sbatch, would no longer be what the commands expect. */
    private static final List<String> REFUSED = List.of(
            "--array",
            "--chdir",
            "--clusters",
            "--comment",
            "--job-name",
            "--no-requeue",
            "--nodes",
            "--ntasks",
            "--ntasks-per-node",
            "--open-mode",
            "--requeue",
            "--test-only",
            "--wait",
            "--wrap");

    private final Map<SlurmOption, String> values;

    private SlurmOptions(Map<SlurmOption, String> values) {
        this.values = values;
    }

    /** @throws SchedulerException naming each value that is wrong */
    static SlurmOptions of(JobSpec job) {
        Map<SlurmOption, String> values = new EnumMap<>(SlurmOption.class);
        List<String> violations = new ArrayList<>();
        for (SlurmOption option : SlurmOption.values()) {
            String value = job.options().get(option.optionName());
            if (value != null) {
                values.put(option, value);
                option.expectation(value)
                        .ifPresent(expected ->
                                violations.add(SchedulerException.line(option.optionName(), value, expected)));
            }
        }
        SlurmOptions options = new SlurmOptions(values);
        if (violations.isEmpty()) {
            options.checkPort(violations);
            options.checkMore(violations);
            options.checkStore(job, violations);
            checkDirectory(job, violations);
        }
        if (!violations.isEmpty()) {
            throw new SchedulerException(violations);
        }
        return options;
    }

    private void checkPort(List<String> violations) {
        find(SlurmOption.STORE_PORT)
                .filter(port -> Integer.parseInt(port) > LAST_PORT)
                .ifPresent(port -> violations.add(
                        SchedulerException.line(SlurmOption.STORE_PORT.optionName(), port, "1 to " + LAST_PORT)));
    }

    private void checkMore(List<String> violations) {
        for (String more : more()) {
            String name = more.split("[= ]", 2)[0];
            boolean hasOption = Arrays.stream(SlurmOption.values())
                    .anyMatch(option -> option.isDirective() && name.equals("--" + option.optionName()));
            if (hasOption) {
                violations.add(SchedulerException.line(
                        SlurmOption.SBATCH.optionName(), more, name.substring(2) + "=... in its place"));
            } else if (REFUSED.contains(name)) {
                violations.add(SchedulerException.line(
                        SlurmOption.SBATCH.optionName(), more, "none of " + String.join(", ", REFUSED)));
            }
        }
    }

    private void checkStore(JobSpec job, List<String> violations) {
        boolean hasEndpoint = job.flag(ENDPOINT).isPresent();
        Optional<String> partition = find(SlurmOption.STORE_PARTITION);
        if (partition.isEmpty()) {
            if (job.maxNodes() > 1 && !hasEndpoint) {
                violations.add(SchedulerException.line(
                        ENDPOINT,
                        "not given",
                        "HOST:PORT of an etcd that all nodes reach, or --scheduler-args store-partition=NAME for a"
                                + " store in an element that is not preempted"));
            }
            return;
        }
        if (hasEndpoint) {
            violations.add(SchedulerException.line(
                    SlurmOption.STORE_PARTITION.optionName(),
                    partition.get(),
                    "none with " + ENDPOINT + ": one store"));
        }
        if (job.flag(KEY_FILE).isEmpty()) {
            violations.add(SchedulerException.line(
                    KEY_FILE,
                    "not given",
                    "a file that all nodes can read, with store-partition: the agent that serves the store and those"
                            + " that call it need the same key"));
        }
    }

    private static void checkDirectory(JobSpec job, List<String> violations) {
        String directory = job.directory().toString();
        if (directory.chars().anyMatch(c -> c == '"' || c == '\\' || c == '\n')) {
            violations.add(SchedulerException.line(
                    "directory", directory, "a path without double quotes, backslashes and ends of lines"));
        }
    }

    Optional<String> find(SlurmOption option) {
        return Optional.ofNullable(values.get(option));
    }

    /** The value, or this one if none was given. */
    String get(SlurmOption option, String fallback) {
        return values.getOrDefault(option, fallback);
    }

    /** Options of sbatch as they were given. */
    List<String> more() {
        return find(SlurmOption.SBATCH)
                .map(text -> List.of(text.split(";", -1)))
                .orElse(List.of());
    }
}
