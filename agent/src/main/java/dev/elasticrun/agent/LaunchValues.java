/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a {@link LaunchConfig} is made of, with the defaults; its builder documents each. Written by the builder only. */
final class LaunchValues {
    final String program;
    List<String> arguments = List.of();
    int minNodes = 1;
    int maxNodes = 1;
    int nprocPerNode = 1;
    String restartPolicy = "hard";

    @Nullable
    String policyPath;

    int maxRestarts = 3;

    @Nullable
    String runId;

    RendezvousBackend rdzvBackend = RendezvousBackend.AUTO;
    List<String> rdzvEndpoints = List.of();
    boolean standalone;

    @Nullable
    Path runKeyFile;

    Path logDir = LaunchDefaults.logDir();
    String role = "default";

    @Nullable
    String localAddr;

    Path java = LaunchDefaults.java();
    List<String> javaOpts = List.of();

    @Nullable
    String classPath;

    @Nullable
    String mainClass;

    Map<String, String> environment = Map.of();
    Duration leaseTtl = Duration.ofSeconds(3);

    @Nullable
    Duration heartbeatInterval;

    Duration joinTimeout = Duration.ofMinutes(10);
    Duration lastCallTimeout = Duration.ofSeconds(5);
    Duration scaleUpDelay = Duration.ofMillis(500);
    Duration replacementWait = Duration.ZERO;
    Duration rejoinBackOff = Duration.ofSeconds(60);
    Duration excludeCoolDown = Duration.ofMinutes(10);
    Duration pauseTimeout = Duration.ofSeconds(10);
    Duration peerTimeout = Duration.ofSeconds(30);
    Duration operationTimeout = Duration.ofMinutes(30);
    Duration storeTimeout = Duration.ofMinutes(1);
    Duration firstContactTimeout = Duration.ofSeconds(10);
    Duration shutdownTimeout = Duration.ofSeconds(30);

    @Nullable
    Path checkpointDir;

    int checkpointEvery = 1;
    int localReplicas = 2;
    StateLoss onStateLoss = StateLoss.RESTART;
    List<DrainSignal> drainSignals = List.of();
    List<Integer> noRetryExitCodes = List.of();
    int noProgressLimit;
    CpuBinding bindTo = CpuBinding.NONE;
    boolean console = true;
    LogOptions logs = LogOptions.DEFAULT;

    LaunchValues(String program) {
        this.program = Objects.requireNonNull(program, "program");
    }

    LaunchValues(LaunchValues from) {
        this(from.program);
        arguments = from.arguments;
        minNodes = from.minNodes;
        maxNodes = from.maxNodes;
        nprocPerNode = from.nprocPerNode;
        restartPolicy = from.restartPolicy;
        policyPath = from.policyPath;
        maxRestarts = from.maxRestarts;
        runId = from.runId;
        rdzvBackend = from.rdzvBackend;
        rdzvEndpoints = from.rdzvEndpoints;
        standalone = from.standalone;
        runKeyFile = from.runKeyFile;
        logDir = from.logDir;
        role = from.role;
        localAddr = from.localAddr;
        java = from.java;
        javaOpts = from.javaOpts;
        classPath = from.classPath;
        mainClass = from.mainClass;
        environment = from.environment;
        leaseTtl = from.leaseTtl;
        heartbeatInterval = from.heartbeatInterval;
        joinTimeout = from.joinTimeout;
        lastCallTimeout = from.lastCallTimeout;
        scaleUpDelay = from.scaleUpDelay;
        replacementWait = from.replacementWait;
        rejoinBackOff = from.rejoinBackOff;
        excludeCoolDown = from.excludeCoolDown;
        pauseTimeout = from.pauseTimeout;
        peerTimeout = from.peerTimeout;
        operationTimeout = from.operationTimeout;
        storeTimeout = from.storeTimeout;
        firstContactTimeout = from.firstContactTimeout;
        shutdownTimeout = from.shutdownTimeout;
        checkpointDir = from.checkpointDir;
        checkpointEvery = from.checkpointEvery;
        localReplicas = from.localReplicas;
        onStateLoss = from.onStateLoss;
        drainSignals = from.drainSignals;
        noRetryExitCodes = from.noRetryExitCodes;
        noProgressLimit = from.noProgressLimit;
        bindTo = from.bindTo;
        console = from.console;
        logs = from.logs;
    }
}
