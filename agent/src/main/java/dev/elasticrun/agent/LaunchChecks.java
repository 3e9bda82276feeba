/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.restart.PolicyPath;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.worker.contract.ListenPlace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What must hold of a configuration. Looks at the file system, and changes nothing but an absent log directory. */
final class LaunchChecks {
    private static final Pattern RUN_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final int MAX_SLOTS = 1024;
    private static final int MAX_EXIT_CODE = 255;
    private static final long LEAST_LOG = 64 << 10;

    private final LaunchConfig config;
    private final List<String> violations = new ArrayList<>();

    private LaunchChecks(LaunchConfig config) {
        this.config = config;
    }

    /** One line per violation; empty when all is well. */
    static List<String> violations(LaunchConfig config) {
        LaunchChecks checks = new LaunchChecks(config);
        checks.checkSize();
        checks.checkPolicy();
        checks.violations.addAll(RuntimeChecks.violations(config, System.getenv()));
        checks.checkStore();
        checks.violations.addAll(TlsChecks.violations(config));
        checks.checkCheckpoints();
        checks.checkProgram();
        checks.checkSupervision();
        checks.checkTimes();
        checks.checkLogDir();
        checks.checkLogs();
        return checks.violations;
    }

    private void checkSize() {
        RunSize size = config.size();
        if (size.minNodes() < 1 || size.maxNodes() < size.minNodes()) {
            violate("--nnodes", size.minNodes() + ":" + size.maxNodes(), "N or MIN:MAX with 1 <= MIN <= MAX");
        }
        if (size.nprocPerNode() < 1 || size.nprocPerNode() > MAX_SLOTS) {
            violate("--nproc-per-node", size.nprocPerNode(), "1 to " + MAX_SLOTS + ", auto or cpu");
        }
        if (config.restarts().maxRestarts() < 0) {
            violate("--max-restarts", config.restarts().maxRestarts(), ">= 0");
        }
        if (config.workers().role().isBlank()) {
            violate("--role", "'" + config.workers().role() + "'", "a name");
        }
    }

    private void checkPolicy() {
        List<Path> absent = PolicyPath.entries(config.restarts().policyPath().orElse("")).stream()
                .filter(entry -> !Files.exists(entry))
                .toList();
        absent.forEach(entry -> violate("--policy-path", entry, "jars and directories that exist, separated by ':'"));
        if (!absent.isEmpty()) {
            return;
        }
        try {
            RestartPolicyStrategy policy = RestartPolicies.byName(
                    config.restarts().policy(), config.restarts().policyPath().orElse(""));
            if (!policy.workersOutliveRounds()
                    && config.times().replacementWait().compareTo(Duration.ZERO) > 0) {
                violate(
                        "--replacement-wait",
                        TimeoutHierarchy.text(config.times().replacementWait()),
                        "0s with --restart-policy " + config.restarts().policy()
                                + ", under which no worker outlives a round");
            }
        } catch (IllegalArgumentException e) {
            violations.add(String.valueOf(e.getMessage()));
        }
    }

    private void checkStore() {
        StoreOptions store = config.store();
        store.runId()
                .filter(id -> !RUN_ID.matcher(id).matches())
                .ifPresent(id -> violate("--run-id", "'" + id + "'", "letters, digits, '.', '_' and '-', at most 128"));
        for (String endpoint : store.endpoints()) {
            if (Endpoint.parse(endpoint).isEmpty()) {
                violate(
                        "--rdzv-endpoint",
                        "'" + endpoint + "'",
                        endpoint.contains("://")
                                ? "HOST:PORT without a scheme; for TLS give --etcd-ca"
                                : "HOST:PORT, several separated by commas");
            }
        }
        if (store.backend() == RendezvousBackend.ETCD && (store.endpoints().isEmpty() || store.standalone())) {
            violate("--rdzv-backend", "etcd", "an --rdzv-endpoint with it, and no --standalone");
        }
        if (store.backend() == RendezvousBackend.EMBEDDED && store.endpoints().size() > 1) {
            violate("--rdzv-endpoint", String.join(",", store.endpoints()), "one HOST:PORT for an embedded store");
        }
        RunSize size = config.size();
        if (size.maxNodes() > 1 && store.runId().isEmpty() && !store.standalone()) {
            violate("--run-id", "not given", "a name that all nodes use, since --nnodes allows several");
        }
        if (store.standalone() && size.maxNodes() > 1) {
            violate("--standalone", "with --nnodes " + size.minNodes() + ":" + size.maxNodes(), "one node");
        }
        config.listen()
                .address()
                .filter(address -> !ListenPlaces.isOwn(address))
                .ifPresent(address -> violate("--bind-addr", address, "an address of this machine; 0.0.0.0 is all"));
        config.listen()
                .ports()
                .filter(range -> !isRange(range))
                .ifPresent(range -> violate("--port-range", range, "A-B with 1 <= A <= B <= 65535"));
        violations.addAll(store.etcdUser().violations(store.isEtcd()));
        store.runKeyFile()
                .filter(file -> !Files.isReadable(file))
                .ifPresent(file -> violate("--run-key-file", file, "a file that can be read"));
    }

    private static boolean isRange(String text) {
        try {
            return ListenPlace.EVERYWHERE.withPorts(text).hasRange();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void checkCheckpoints() {
        CheckpointOptions checkpoints = config.checkpoints();
        if (checkpoints.every() < 1) {
            violate("--checkpoint-every", checkpoints.every(), "1 or more");
        }
        if (checkpoints.localReplicas() < 0) {
            violate("--local-replicas", checkpoints.localReplicas(), "0 or more");
        }
        if (checkpoints.directory().isPresent() && config.store().runId().isEmpty()) {
            violate("--checkpoint-dir", "without --run-id", "the name by which the copies are found again");
        }
        if (checkpoints.directory().isEmpty() && checkpoints.every() > 1) {
            violate("--checkpoint-every", "without --checkpoint-dir", "a directory for durable copies");
        }
        checkpoints
                .directory()
                .filter(directory -> Files.exists(directory) && !Files.isDirectory(directory))
                .ifPresent(file -> violate("--checkpoint-dir", file, "a directory"));
    }

    private void checkProgram() {
        String program = config.program();
        boolean jar = program.endsWith(".jar");
        if (program.isBlank()) {
            violate("PROGRAM", "missing", "a jar or an executable");
        } else if (jar && !Files.isRegularFile(Path.of(program))) {
            violate("PROGRAM", program, "a jar that exists");
        } else if (!jar && program.contains("/") && !Files.isExecutable(Path.of(program))) {
            violate("PROGRAM", program, "a jar, or a file that can be executed");
        } else if (!jar && !program.contains("/") && !WorkerProgram.onPath(program)) {
            violate("PROGRAM", program, "a jar, or a program on the PATH");
        }
        if (jar && !Files.isExecutable(config.workers().java())) {
            violate("--java", config.workers().java(), "a java that can be executed");
        }
    }

    private void checkSupervision() {
        config.restarts().noRetryExitCodes().stream()
                .filter(code -> code < 1 || code > MAX_EXIT_CODE)
                .forEach(code -> violate("--no-retry-exit-codes", code, "1 to " + MAX_EXIT_CODE));
        if (config.restarts().noProgressLimit() < 0) {
            violate("--no-progress-limit", config.restarts().noProgressLimit(), "0 or more");
        }
        WorkerPlaces.expectation(config)
                .ifPresent(expected ->
                        violate("--bind-to", config.workers().bindTo().text(), expected));
    }

    private void checkTimes() {
        Timeouts times = config.times();
        violations.addAll(TimeoutHierarchy.of(times).violations());
        for (TimeLimit limit : TimeLimit.values()) {
            Duration time = times.of(limit);
            limit.expectation(time).ifPresent(expected -> violate(limit.flag(), TimeoutHierarchy.text(time), expected));
        }
    }

    private void checkLogs() {
        LogOptions logs = config.logs();
        config.console().namedRanks().stream()
                .filter(rank -> rank >= config.size().nprocPerNode())
                .forEach(rank -> violate(
                        "local rank",
                        rank + " in --tee, --redirects or --local-ranks-filter",
                        "below --nproc-per-node " + config.size().nprocPerNode()));
        if (logs.maxBytes() != 0 && logs.maxBytes() < LEAST_LOG) {
            violate("--log-max-size", logs.maxBytes(), "0 or at least 64k");
        }
        if (logs.maxFiles() < 1) {
            violate("--log-max-files", logs.maxFiles(), "1 or more");
        }
    }

    private void checkLogDir() {
        Path directory = config.logs().directory();
        LogDirectories.expectation(directory).ifPresent(expected -> violate("--log-dir", directory, expected));
    }

    private void violate(String name, Object value, String expected) {
        violations.add(name + ": " + value + " (expected: " + expected + ")");
    }
}
