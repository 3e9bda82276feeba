/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What must hold of a configuration. Looks at the file system, and changes nothing but an absent log directory. */
final class LaunchChecks {
    private static final Pattern RUN_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final int MAX_SLOTS = 1024;
    private static final int MAX_EXIT_CODE = 255;

    private final LaunchConfig config;
    private final List<String> violations = new ArrayList<>();

    private LaunchChecks(LaunchConfig config) {
        this.config = config;
    }

    private static final long LEAST_LOG = 64 << 10;

    /** One line per violation; empty when all is well. */
    static List<String> violations(LaunchConfig config) {
        LaunchChecks checks = new LaunchChecks(config);
        checks.checkSize();
        checks.checkPolicy();
        checks.checkStore();
        checks.checkCheckpoints();
        checks.checkProgram();
        checks.checkSupervision();
        checks.checkWaits();
        checks.checkLogDir();
        checks.checkLogs();
        return checks.violations;
    }

    private void checkSize() {
        if (config.minNodes() < 1 || config.maxNodes() < config.minNodes()) {
            violate("--nnodes", config.minNodes() + ":" + config.maxNodes(), "N or MIN:MAX with 1 <= MIN <= MAX");
        }
        if (config.nprocPerNode() < 1 || config.nprocPerNode() > MAX_SLOTS) {
            violate("--nproc-per-node", config.nprocPerNode(), "1 to " + MAX_SLOTS + ", auto or cpu");
        }
        if (config.maxRestarts() < 0) {
            violate("--max-restarts", config.maxRestarts(), ">= 0");
        }
        if (config.role().isBlank()) {
            violate("--role", "'" + config.role() + "'", "a name");
        }
    }

    private void checkPolicy() {
        List<Path> absent = RestartPolicies.path(config.policyPath().orElse("")).stream()
                .filter(entry -> !Files.exists(entry))
                .toList();
        absent.forEach(entry -> violate("--policy-path", entry, "jars and directories that exist, separated by ':'"));
        if (!absent.isEmpty()) {
            return;
        }
        try {
            RestartPolicyStrategy policy = RestartPolicies.byName(
                    config.restartPolicy(), config.policyPath().orElse(""));
            if (!policy.workersOutliveRounds() && config.replacementWait().compareTo(Duration.ZERO) > 0) {
                violate(
                        "--replacement-wait",
                        TimeoutHierarchy.text(config.replacementWait()),
                        "0s with --restart-policy " + config.restartPolicy()
                                + ", under which no worker outlives a round");
            }
        } catch (IllegalArgumentException e) {
            violations.add(String.valueOf(e.getMessage()));
        }
    }

    private void checkStore() {
        config.runId()
                .filter(id -> !RUN_ID.matcher(id).matches())
                .ifPresent(id -> violate("--run-id", "'" + id + "'", "letters, digits, '.', '_' and '-', at most 128"));
        for (String endpoint : config.rdzvEndpoints()) {
            if (Endpoint.parse(endpoint).isEmpty()) {
                violate("--rdzv-endpoint", "'" + endpoint + "'", "HOST:PORT, several separated by commas");
            }
        }
        boolean none = config.rdzvEndpoints().isEmpty() || config.standalone();
        if (config.rdzvBackend() == RendezvousBackend.ETCD && none) {
            violate("--rdzv-backend", "etcd", "an --rdzv-endpoint with it, and no --standalone");
        }
        if (config.rdzvBackend() == RendezvousBackend.EMBEDDED
                && config.rdzvEndpoints().size() > 1) {
            violate("--rdzv-endpoint", String.join(",", config.rdzvEndpoints()), "one HOST:PORT for an embedded store");
        }
        if (config.maxNodes() > 1 && config.runId().isEmpty() && !config.standalone()) {
            violate("--run-id", "not given", "a name that all nodes use, since --nnodes allows several");
        }
        if (config.standalone() && config.maxNodes() > 1) {
            violate("--standalone", "with --nnodes " + config.minNodes() + ":" + config.maxNodes(), "one node");
        }
        config.runKeyFile()
                .filter(file -> !Files.isReadable(file))
                .ifPresent(file -> violate("--run-key-file", file, "a file that can be read"));
    }

    private void checkCheckpoints() {
        if (config.checkpointEvery() < 1) {
            violate("--checkpoint-every", config.checkpointEvery(), "1 or more");
        }
        if (config.localReplicas() < 0) {
            violate("--local-replicas", config.localReplicas(), "0 or more");
        }
        if (config.checkpointDir().isPresent() && config.runId().isEmpty()) {
            violate("--checkpoint-dir", "without --run-id", "the name by which the copies are found again");
        }
        if (config.checkpointDir().isEmpty() && config.checkpointEvery() > 1) {
            violate("--checkpoint-every", "without --checkpoint-dir", "a directory for durable copies");
        }
        config.checkpointDir()
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
        if (jar && !Files.isExecutable(config.java())) {
            violate("--java", config.java(), "a java that can be executed");
        }
    }

    private void checkSupervision() {
        config.noRetryExitCodes().stream()
                .filter(code -> code < 1 || code > MAX_EXIT_CODE)
                .forEach(code -> violate("--no-retry-exit-codes", code, "1 to " + MAX_EXIT_CODE));
        if (config.noProgressLimit() < 0) {
            violate("--no-progress-limit", config.noProgressLimit(), "0 or more");
        }
        WorkerPlaces.expectation(config)
                .ifPresent(expected -> violate("--bind-to", config.bindTo().text(), expected));
    }

    private void checkWaits() {
        violations.addAll(TimeoutHierarchy.of(config).violations());
        positive("--join-timeout", config.joinTimeout());
        notNegative("--last-call-timeout", config.lastCallTimeout());
        notNegative("--scale-up-delay", config.scaleUpDelay());
        notNegative("--replacement-wait", config.replacementWait());
        notNegative("--rejoin-back-off", config.rejoinBackOff());
        notNegative("--exclude-cool-down", config.excludeCoolDown());
        positive("--pause-timeout", config.pauseTimeout());
        notNegative("--operation-timeout", config.operationTimeout());
        positive("--first-contact-timeout", config.firstContactTimeout());
        notNegative("--shutdown-timeout", config.shutdownTimeout());
    }

    private void checkLogs() {
        LogOptions logs = config.logs();
        logs.namedRanks().stream()
                .filter(rank -> rank >= config.nprocPerNode())
                .forEach(rank -> violate(
                        "local rank",
                        rank + " in --tee, --redirects or --local-ranks-filter",
                        "below --nproc-per-node " + config.nprocPerNode()));
        if (logs.maxBytes() != 0 && logs.maxBytes() < LEAST_LOG) {
            violate("--log-max-size", logs.maxBytes(), "0 or at least 64k");
        }
        if (logs.maxFiles() < 1) {
            violate("--log-max-files", logs.maxFiles(), "1 or more");
        }
    }

    private void checkLogDir() {
        try {
            Files.createDirectories(
                    config.logDir(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            if (!Files.isWritable(config.logDir())) {
                violate("--log-dir", config.logDir(), "a directory that can be written");
            }
        } catch (IOException e) {
            violate("--log-dir", config.logDir(), "a directory that can be written; " + e);
        }
    }

    private void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            violate(name, TimeoutHierarchy.text(value), "more than 0s");
        }
    }

    private void notNegative(String name, Duration value) {
        if (value.isNegative()) {
            violate(name, TimeoutHierarchy.text(value), "0s or more");
        }
    }

    private void violate(String name, Object value, String expected) {
        violations.add(name + ": " + value + " (expected: " + expected + ")");
    }
}
