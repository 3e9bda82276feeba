/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.LeaseTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one agent is to run, and how. Immutable; each flag of the command is one call of the builder. {@link
 * Builder#build} checks everything and reports all that is wrong at once.
 */
public final class LaunchConfig {
    private final LaunchValues values;

    private LaunchConfig(LaunchValues values) {
        this.values = values;
    }

    /** @param program a jar, which runs on the JVM, or anything that can be executed */
    public static Builder builder(String program) {
        return new Builder(new LaunchValues(program));
    }

    public Builder toBuilder() {
        return new Builder(new LaunchValues(values));
    }

    public String program() {
        return values.program;
    }

    public List<String> arguments() {
        return values.arguments;
    }

    public int minNodes() {
        return values.minNodes;
    }

    public int maxNodes() {
        return values.maxNodes;
    }

    public int nprocPerNode() {
        return values.nprocPerNode;
    }

    public String restartPolicy() {
        return values.restartPolicy;
    }

    public Optional<String> policyPath() {
        return Optional.ofNullable(values.policyPath);
    }

    public int maxRestarts() {
        return values.maxRestarts;
    }

    public Optional<String> runId() {
        return Optional.ofNullable(values.runId);
    }

    public RendezvousBackend rdzvBackend() {
        return values.rdzvBackend;
    }

    public List<String> rdzvEndpoints() {
        return values.rdzvEndpoints;
    }

    public boolean standalone() {
        return values.standalone;
    }

    public Optional<Path> runKeyFile() {
        return Optional.ofNullable(values.runKeyFile);
    }

    public Path logDir() {
        return values.logDir;
    }

    public String role() {
        return values.role;
    }

    public Optional<String> localAddr() {
        return Optional.ofNullable(values.localAddr);
    }

    public Path java() {
        return values.java;
    }

    public List<String> javaOpts() {
        return values.javaOpts;
    }

    public Optional<String> classPath() {
        return Optional.ofNullable(values.classPath);
    }

    public Optional<String> mainClass() {
        return Optional.ofNullable(values.mainClass);
    }

    public Map<String, String> environment() {
        return values.environment;
    }

    public Duration leaseTtl() {
        return values.leaseTtl;
    }

    /** How often the agent renews its node's lease, if that was said. */
    public Optional<Duration> heartbeatInterval() {
        return Optional.ofNullable(values.heartbeatInterval);
    }

    /** How often the agent renews its node's lease. */
    Duration heartbeat() {
        return heartbeatInterval().orElse(LeaseTimes.heartbeat(leaseTtl()));
    }

    public Duration joinTimeout() {
        return values.joinTimeout;
    }

    public Duration lastCallTimeout() {
        return values.lastCallTimeout;
    }

    public Duration scaleUpDelay() {
        return values.scaleUpDelay;
    }

    public Duration replacementWait() {
        return values.replacementWait;
    }

    /** Where durable copies of checkpoints go, if anywhere. */
    public Optional<Path> checkpointDir() {
        return Optional.ofNullable(values.checkpointDir);
    }

    public int checkpointEvery() {
        return values.checkpointEvery;
    }

    public int localReplicas() {
        return values.localReplicas;
    }

    public StateLoss onStateLoss() {
        return values.onStateLoss;
    }

    public Duration rejoinBackOff() {
        return values.rejoinBackOff;
    }

    public Duration excludeCoolDown() {
        return values.excludeCoolDown;
    }

    public Duration pauseTimeout() {
        return values.pauseTimeout;
    }

    public Duration peerTimeout() {
        return values.peerTimeout;
    }

    public Duration operationTimeout() {
        return values.operationTimeout;
    }

    public Duration storeTimeout() {
        return values.storeTimeout;
    }

    public Duration firstContactTimeout() {
        return values.firstContactTimeout;
    }

    public Duration shutdownTimeout() {
        return values.shutdownTimeout;
    }

    /** Signals that drain the agent besides HUP, INT and TERM, when it runs as a command. */
    public List<DrainSignal> drainSignals() {
        return values.drainSignals;
    }

    /** Exit codes of a worker after which the run ends as failed, whatever budget is left. */
    public List<Integer> noRetryExitCodes() {
        return values.noRetryExitCodes;
    }

    /** How many incidents in a row without a new checkpoint end the run; 0 = as many as the budget allows. */
    public int noProgressLimit() {
        return values.noProgressLimit;
    }

    public CpuBinding bindTo() {
        return values.bindTo;
    }

    /** Whether workers' output goes to this process's standard output and error, too. */
    public boolean console() {
        return values.console;
    }

    /** What of workers' output is on the console, if that was said. */
    public Optional<StreamMap> tee() {
        return values.logs.tee();
    }

    /** What of workers' output is kept from the console. */
    public StreamMap redirects() {
        return values.logs.redirects();
    }

    public String logPrefix() {
        return values.logs.prefix().template();
    }

    /** Local ranks whose output can be on the console; empty = all. */
    public Set<Integer> localRanksFilter() {
        return values.logs.localRanks();
    }

    public List<String> duplicateStdoutFilters() {
        return values.logs.stdoutFilters();
    }

    public List<String> duplicateStderrFilters() {
        return values.logs.stderrFilters();
    }

    /** Bytes from which a log is rotated; 0 = never. */
    public long logMaxSize() {
        return values.logs.maxBytes();
    }

    public int logMaxFiles() {
        return values.logs.maxFiles();
    }

    LogOptions logs() {
        return values.logs;
    }

    /** Names and values; of the environment only the names. */
    @Override
    public String toString() {
        return "LaunchConfig[program=" + program() + ", arguments=" + arguments() + ", nnodes=" + minNodes() + ":"
                + maxNodes() + ", nprocPerNode=" + nprocPerNode() + ", restartPolicy=" + restartPolicy()
                + ", maxRestarts=" + maxRestarts() + ", runId=" + runId().orElse("(random)") + ", rdzvBackend="
                + rdzvBackend() + ", rdzvEndpoints=" + rdzvEndpoints() + ", environment="
                + environment().keySet() + "]";
    }

    /** Collects what an agent is to do. Not safe for use by several threads. */
    public static final class Builder {
        private final LaunchValues values;

        private Builder(LaunchValues values) {
            this.values = values;
        }

        /** Passed to every worker. Default: none. */
        public Builder arguments(List<String> value) {
            values.arguments = List.copyOf(value);
            return this;
        }

        /** Fewest and most nodes that may work. Default: 1 and 1. */
        public Builder nnodes(int min, int max) {
            values.minNodes = min;
            values.maxNodes = max;
            return this;
        }

        /** Workers on this node; nodes may differ. Default: 1. */
        public Builder nprocPerNode(int value) {
            values.nprocPerNode = value;
            return this;
        }

        /** Name of a {@link dev.elasticrun.rendezvous.restart.RestartPolicyStrategy}. Default: hard. */
        public Builder restartPolicy(String value) {
            values.restartPolicy = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * Jars and directories in which policies are looked for, besides this process's class path; separated by ':'.
         * Default: none.
         */
        public Builder policyPath(String value) {
            values.policyPath = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Restarts that the whole run may use. 0: the first failure is final. Default: 3. */
        public Builder maxRestarts(int value) {
            values.maxRestarts = value;
            return this;
        }

        /** Name of the run; needed when several nodes meet at an endpoint. Default: random. */
        public Builder runId(String value) {
            values.runId = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Who serves the store. Default: etcd when there are endpoints, else embedded. */
        public Builder rdzvBackend(RendezvousBackend value) {
            values.rdzvBackend = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Where the store is, as HOST:PORT, one or more. Default: none, which means embedded in this agent. */
        public Builder rdzvEndpoints(List<String> value) {
            values.rdzvEndpoints = List.copyOf(value);
            return this;
        }

        /** One node with a store of its own, whatever the endpoint says. Default: false. */
        public Builder standalone(boolean value) {
            values.standalone = value;
            return this;
        }

        /** File with the run's secret, for several hosts. Default: minted, and kept in an external store's spec. */
        public Builder runKeyFile(Path value) {
            values.runKeyFile = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Where logs are kept, below it by run and node. Default: elastic-run-UID in the temporary directory. */
        public Builder logDir(Path value) {
            values.logDir = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Name of the workers' role. Default: default. */
        public Builder role(String value) {
            values.role = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Address at which other nodes reach this one. Default: that of the interface that leads to the store. */
        public Builder localAddr(String value) {
            values.localAddr = Objects.requireNonNull(value, "value");
            return this;
        }

        /** The java that runs a jar. Default: that of this process. */
        public Builder java(Path value) {
            values.java = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Options of the workers' JVM. Default: none. */
        public Builder javaOpts(List<String> value) {
            values.javaOpts = List.copyOf(value);
            return this;
        }

        /** More class path for a jar. Default: none. */
        public Builder classPath(String value) {
            values.classPath = Objects.requireNonNull(value, "value");
            return this;
        }

        /** The jar's main class. Default: the one in its manifest. */
        public Builder mainClass(String value) {
            values.mainClass = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Variables for the workers on top of this process's. Default: none. */
        public Builder environment(Map<String, String> value) {
            values.environment = Map.copyOf(new TreeMap<>(value));
            return this;
        }

        /**
         * How long a silent node stays a member; at least 2 s. Too low: pauses evict healthy nodes. Too high: a loss that
         * cannot be proved stalls the run for so long. Default: 3 s.
         */
        public Builder leaseTtl(Duration value) {
            values.leaseTtl = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * How often the agent renews its node's lease; at least 50 ms, at most a third of the lease. Too low: more work for
         * the store than it is worth. Too high: one lost renewal more costs the lease. Default: a sixth of the lease.
         */
        public Builder heartbeatInterval(Duration value) {
            values.heartbeatInterval = Objects.requireNonNull(value, "value");
            return this;
        }

        /** How long the run waits for its minimum of nodes. Default: 600 s. */
        public Builder joinTimeout(Duration value) {
            values.joinTimeout = Objects.requireNonNull(value, "value");
            return this;
        }

        /** How long a first round below the maximum waits for more nodes. Default: 5 s. */
        public Builder lastCallTimeout(Duration value) {
            values.lastCallTimeout = Objects.requireNonNull(value, "value");
            return this;
        }

        /** How long newcomers are collected before the world grows. Default: 500 ms. */
        public Builder scaleUpDelay(Duration value) {
            values.scaleUpDelay = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * How long the survivors of a failed or lost node wait for it, paused, before they go on without it. Only for
         * policies whose workers outlive rounds. 0: go on at once. Too high: a node that never returns costs that long.
         * Default: 0.
         */
        public Builder replacementWait(Duration value) {
            values.replacementWait = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * Directory for durable copies of checkpoints, which outlive the run; the same for all nodes, as on a network
         * file system. The run's are in a directory of its name. Default: none are made.
         */
        public Builder checkpointDir(Path value) {
            values.checkpointDir = Objects.requireNonNull(value, "value");
            return this;
        }

        /** How many versions lie between two durable copies. Too low: the disk is always busy. Default: 1. */
        public Builder checkpointEvery(int value) {
            values.checkpointEvery = value;
            return this;
        }

        /**
         * On how many other nodes a worker's local state is copied at each checkpoint; fewer if there are fewer nodes.
         * Too low: it is lost with as many nodes at once. Too high: each copy is sent. Default: 2.
         */
        public Builder localReplicas(int value) {
            values.localReplicas = value;
            return this;
        }

        /** What happens when no worker has the state that the run had. Default: the run starts again. */
        public Builder onStateLoss(StateLoss value) {
            values.onStateLoss = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * The longest that a node which keeps leaving rounds by failure or loss waits before it is admitted again: at
         * once the first time, then 1 s, 2 s, 4 s and so on. Default: 60 s; 0: it never waits, and its workers may fail
         * as often as the budget allows. Too low: a broken node makes the others start over again and again.
         */
        public Builder rejoinBackOff(Duration value) {
            values.rejoinBackOff = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * How long a node is not admitted that a worker wanted out of the run, or whose workers keep failing. Default:
         * 10 minutes.
         */
        public Builder excludeCoolDown(Duration value) {
            values.excludeCoolDown = Objects.requireNonNull(value, "value");
            return this;
        }

        /** How long a worker may take to acknowledge PAUSE. Default: 10 s. */
        public Builder pauseTimeout(Duration value) {
            values.pauseTimeout = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * How long workers may hear nothing from a peer whose host does not answer either. Too low: a slow network costs
         * rounds. Too high: a cut link stalls the run for so long. Default: 30 s.
         */
        public Builder peerTimeout(Duration value) {
            values.peerTimeout = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * How long a worker waits in a collective operation for a peer that lives but does not call; zero = for ever.
         * Then its call fails, and the worker with it. Too low: a rank that computes, or reads data, for longer than the
         * others costs restarts. Too high: a program that hangs stalls the run for so long. Default: 30 minutes.
         */
        public Builder operationTimeout(Duration value) {
            values.operationTimeout = Objects.requireNonNull(value, "value");
            return this;
        }

        /** How long the store may be away before the agent gives up. Default: 60 s. */
        public Builder storeTimeout(Duration value) {
            values.storeTimeout = Objects.requireNonNull(value, "value");
            return this;
        }

        /** How long the store may take to answer for the first time. Default: 10 s. */
        public Builder firstContactTimeout(Duration value) {
            values.firstContactTimeout = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Grace between TERM and KILL, shared by all workers of the node. Default: 30 s. */
        public Builder shutdownTimeout(Duration value) {
            values.shutdownTimeout = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Signals that drain the agent besides HUP, INT and TERM, when it runs as a command. Default: none. */
        public Builder drainSignals(List<DrainSignal> value) {
            values.drainSignals = List.copyOf(value);
            return this;
        }

        /**
         * Exit codes of a worker after which the run ends as failed at once, without using budget: what fails in the same
         * way each time, as a wrong option. Each 1 to 255. Default: none.
         */
        public Builder noRetryExitCodes(List<Integer> value) {
            values.noRetryExitCodes = List.copyOf(value);
            return this;
        }

        /**
         * How many incidents in a row without a new checkpoint between them end the run, with exit code 6; 0 = as many as
         * the budget allows. Too low: several unlucky incidents soon after each other end a healthy run. Default: 0.
         */
        public Builder noProgressLimit(int value) {
            values.noProgressLimit = value;
            return this;
        }

        /** What part of the machine each worker runs on. Default: all of it. */
        public Builder bindTo(CpuBinding value) {
            values.bindTo = Objects.requireNonNull(value, "value");
            return this;
        }

        /** See {@link LaunchConfig#console}. Default: true. */
        public Builder console(boolean value) {
            values.console = value;
            return this;
        }

        /**
         * What of workers' output is on the console, besides being in their logs. Default: standard error of all, and
         * standard output of rank 0.
         */
        public Builder tee(StreamMap value) {
            values.logs = values.logs.withTee(value);
            return this;
        }

        /** What of workers' output is only in their logs, of what is on the console by default. Default: nothing. */
        public Builder redirects(StreamMap value) {
            values.logs = values.logs.withRedirects(value);
            return this;
        }

        /**
         * What is before each line on the console; may hold {@code ${rank}}, {@code ${local_rank}}, {@code
         * ${role_name}}, {@code ${node}}, {@code ${host}}, {@code ${run_id}} and {@code ${attempt}}. Throws
         * IllegalArgumentException for any other. Default: {@code [${role_name} ${rank}]:}.
         */
        public Builder logPrefix(String value) {
            values.logs = values.logs.withPrefix(new LogPrefix(value));
            return this;
        }

        /** Local ranks whose output can be on the console. Default: empty, which is all. */
        public Builder localRanksFilter(Set<Integer> value) {
            values.logs = values.logs.withLocalRanks(value);
            return this;
        }

        /** Lines of standard output that hold one of these are collected in filtered_stdout.log. Default: none. */
        public Builder duplicateStdoutFilters(List<String> value) {
            values.logs = values.logs.withStdoutFilters(value);
            return this;
        }

        /** Lines of standard error that hold one of these are collected in filtered_stderr.log. Default: none. */
        public Builder duplicateStderrFilters(List<String> value) {
            values.logs = values.logs.withStderrFilters(value);
            return this;
        }

        /**
         * Bytes from which a log is rotated; 0 = never, else at least 64 KiB. Too low: the disk is busy with copying.
         * Default: 0.
         */
        public Builder logMaxSize(long value) {
            values.logs = values.logs.withMaxBytes(value);
            return this;
        }

        /** How many rotated parts of a log are kept; older ones are deleted. Default: 10. */
        public Builder logMaxFiles(int value) {
            values.logs = values.logs.withMaxFiles(value);
            return this;
        }

        /**
         * The configuration.
         *
         * @throws LaunchConfigException naming every value that is wrong, and what was expected
         */
        public LaunchConfig build() {
            LaunchConfig config = new LaunchConfig(new LaunchValues(values));
            List<String> violations = LaunchChecks.violations(config);
            if (!violations.isEmpty()) {
                throw new LaunchConfigException(violations);
            }
            return config;
        }
    }
}
