/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.backend.StoreProviders;
import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.telemetry.TelemetryProviders;
import dev.elasticrun.rendezvous.restart.PolicyPath;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.worker.contract.ListenPlace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a configuration beyond what {@link Settings} specifies for single values. Reads the file system, and changes
 * nothing but an absent log directory.
 */
final class LaunchChecks {
    private static final int MAX_EXIT_CODE = 255;

    private final LaunchConfig config;
    private final List<String> violations = new ArrayList<>();

    private LaunchChecks(LaunchConfig config) {
        this.config = config;
    }

    /** One line per violation; empty when all is well. */
    static List<String> violations(LaunchConfig config) {
        LaunchChecks checks = new LaunchChecks(config);
        checks.violations.addAll(config.values().violations());
        checks.checkPolicy();
        checks.violations.addAll(RuntimeChecks.violations(
                config.workers(), config.restarts().policyPath().orElse("")));
        checks.checkTelemetry();
        checks.checkStore();
        checks.violations.addAll(TlsChecks.violations(
                config.tls(), config.store().isEtcd(), config.store().endpoints()));
        checks.checkCheckpoints();
        checks.checkProgram();
        checks.checkSupervision();
        checks.violations.addAll(TimeoutHierarchy.of(config.times()).violations());
        checks.checkLogDir();
        checks.checkLogs();
        return checks.violations;
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
                    && config.times().rounds().replacementWait().compareTo(Duration.ZERO) > 0) {
                violate(
                        "--replacement-wait",
                        SettingTexts.text(config.times().rounds().replacementWait()),
                        "0s with --restart-policy " + config.restarts().policy()
                                + ", under which no worker outlives a round");
            }
            if (config.restarts().spareWorkers() > 0 && policy.withSpares().isEmpty()) {
                violate(
                        "--spare-workers",
                        config.restarts().spareWorkers(),
                        "0 with --restart-policy " + config.restarts().policy()
                                + ", under which no other worker takes a rank; soft-elastic and soft-replace have spares");
            }
        } catch (IllegalArgumentException e) {
            violations.add(String.valueOf(e.getMessage()));
        }
    }

    private void checkTelemetry() {
        config.http().collector().ifPresent(collector -> {
            try {
                TelemetryProviders.find(
                        collector, config.restarts().policyPath().orElse(""));
            } catch (IllegalArgumentException e) {
                violations.add(String.valueOf(e.getMessage()));
            }
        });
    }

    private void checkStore() {
        StoreOptions store = config.store();
        for (String endpoint : store.isOutside() ? List.<String>of() : store.endpoints()) {
            if (Endpoint.parse(endpoint).isEmpty()) {
                violate(
                        "--rdzv-endpoint",
                        "'" + endpoint + "'",
                        endpoint.contains("://")
                                ? "HOST:PORT without a scheme; for TLS give --etcd-ca"
                                : "HOST:PORT, several separated by commas");
            }
        }
        checkBackend(store);
        boolean isEmbedded = store.backend().equals(StoreProviders.EMBEDDED);
        if (isEmbedded && store.endpoints().size() > 1) {
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
    }

    private void checkBackend(StoreOptions store) {
        String backend = store.backend();
        if (backend.equals(StoreProviders.AUTO) || backend.equals(StoreProviders.EMBEDDED)) {
            return;
        }
        try {
            StoreProviders.of(backend, store.values());
            if (store.kind().equals(StoreProviders.EMBEDDED)) {
                violate("--rdzv-backend", backend, "an --rdzv-endpoint with it, and no --standalone");
            }
        } catch (IllegalArgumentException e) {
            violations.add(String.valueOf(e.getMessage()));
        }
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
        if (checkpoints.directory().isPresent() && config.store().runId().isEmpty()) {
            violate("--checkpoint-dir", "without --run-id", "the name by which the copies are found again");
        }
        if (checkpoints.directory().isEmpty() && checkpoints.every() > 1) {
            violate("--checkpoint-every", "without --checkpoint-dir", "a directory for durable copies");
        }
        int usual = SettingValues.DEFAULTS.get(Settings.LOCAL_REPLICAS);
        if (checkpoints.parity() != 0 && checkpoints.localReplicas() != usual) {
            violate(
                    "--checkpoint-parity",
                    checkpoints.parity() + " with --local-replicas " + checkpoints.localReplicas(),
                    "one of the two: parity takes the place of copies");
        }
    }

    private void checkProgram() {
        String program = config.program();
        ProgramKind kind = ProgramKind.of(config);
        if (program.isBlank()) {
            violate("PROGRAM", "missing", "a jar, a Python script or an executable");
            return;
        }
        switch (kind) {
            case JAR -> {
                if (!Files.isRegularFile(Path.of(program))) {
                    violate("PROGRAM", program, "a jar that exists");
                }
                if (!Files.isExecutable(config.workers().java())) {
                    violate("--java", config.workers().java(), "a java that can be executed");
                }
            }
            case SCRIPT -> {
                if (!Files.isReadable(Path.of(program))) {
                    violate("PROGRAM", program, "a Python script that can be read");
                }
                checkInterpreter();
            }
            case MODULE -> checkInterpreter();
            case EXECUTABLE -> {
                if (program.contains("/") && !Files.isExecutable(Path.of(program))) {
                    violate("PROGRAM", program, "a jar, or a file that can be executed");
                } else if (!program.contains("/") && !Executables.isOnPath(program)) {
                    violate("PROGRAM", program, "a jar, or a program on the PATH");
                }
            }
        }
        if (config.workers().module() && config.workers().noPython()) {
            violate("--no-python", "with --module", "one of the two");
        }
    }

    private void checkInterpreter() {
        if (ProgramKind.interpreter(System.getenv()).isEmpty()) {
            String named = System.getenv().getOrDefault(ProgramKind.INTERPRETER, "");
            violate(
                    "PROGRAM",
                    config.program(),
                    named.isEmpty()
                            ? "python3 or python on the PATH, which runs it, or " + ProgramKind.INTERPRETER
                            : "a Python interpreter on the PATH as " + ProgramKind.INTERPRETER + ", not '" + named
                                    + "'");
        }
    }

    private void checkSupervision() {
        config.restarts().noRetryExitCodes().stream()
                .filter(code -> code < 1 || code > MAX_EXIT_CODE)
                .forEach(code -> violate("--no-retry-exit-codes", code, "1 to " + MAX_EXIT_CODE));
        WorkerPlaces.expectation(config.workers().bindTo(), config.size().nprocPerNode())
                .ifPresent(expected ->
                        violate("--bind-to", config.workers().bindTo().text(), expected));
    }

    private void checkLogs() {
        config.console().namedRanks().stream()
                .filter(rank -> rank >= config.size().nprocPerNode())
                .forEach(rank -> violate(
                        "local rank",
                        rank + " in --tee, --redirects or --local-ranks-filter",
                        "below --nproc-per-node " + config.size().nprocPerNode()));
    }

    private void checkLogDir() {
        Path directory = config.logs().directory();
        LogDirectories.expectation(directory).ifPresent(expected -> violate("--log-dir", directory, expected));
    }

    private void violate(String name, Object value, String expected) {
        violations.add(name + ": " + value + " (expected: " + expected + ")");
    }
}
