/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Collects what an agent is to do. Each call is one flag of the command; a later one wins. Not safe for use by several
 * threads.
 */
public final class LaunchConfigBuilder {
    final String program;
    List<String> arguments = List.of();
    RunSize size = RunSize.DEFAULT;
    RestartOptions restarts = RestartOptions.DEFAULT;
    StoreOptions store = StoreOptions.DEFAULT;
    WorkerOptions workers = WorkerOptions.DEFAULT;
    ConsoleOptions console = ConsoleOptions.DEFAULT;
    LogOptions logs = LogOptions.DEFAULT;
    HttpOptions http = HttpOptions.DEFAULT;
    CheckpointOptions checkpoints = CheckpointOptions.DEFAULT;
    TlsOptions tls = TlsOptions.DEFAULT;
    ListenOptions listen = ListenOptions.DEFAULT;
    Timeouts times = Timeouts.DEFAULT;
    List<DrainSignal> drainSignals = List.of();

    LaunchConfigBuilder(String program) {
        this.program = Objects.requireNonNull(program, "program");
    }

    /** Passed to every worker. Default: none. */
    public LaunchConfigBuilder arguments(List<String> value) {
        arguments = List.copyOf(value);
        return this;
    }

    /** Fewest and most nodes that may work. Default: 1 and 1. */
    public LaunchConfigBuilder nnodes(int min, int max) {
        size = size.withNodes(min, max);
        return this;
    }

    /** Workers on this node; nodes may differ. Default: 1. */
    public LaunchConfigBuilder nprocPerNode(int value) {
        size = size.withNprocPerNode(value);
        return this;
    }

    /** Name of a {@link dev.elasticrun.rendezvous.restart.RestartPolicyStrategy}. Default: hard. */
    public LaunchConfigBuilder restartPolicy(String value) {
        restarts = restarts.withPolicy(value);
        return this;
    }

    /**
     * Jars and directories in which policies and runtimes are looked for, besides this process's class path; separated by ':'.
     * Default: none.
     */
    public LaunchConfigBuilder policyPath(String value) {
        restarts = restarts.withPolicyPath(Objects.requireNonNull(value, "value"));
        return this;
    }

    /** Restarts that the whole run may use. 0: the first failure is final. Default: 3. */
    public LaunchConfigBuilder maxRestarts(int value) {
        restarts = restarts.withMaxRestarts(value);
        return this;
    }

    /** Name of the run; needed when several nodes meet at an endpoint. Default: random. */
    public LaunchConfigBuilder runId(String value) {
        store = store.withRunId(Objects.requireNonNull(value, "value"));
        return this;
    }

    /** Who serves the store. Default: etcd when there are endpoints, else embedded. */
    public LaunchConfigBuilder rdzvBackend(RendezvousBackend value) {
        store = store.withBackend(value);
        return this;
    }

    /** Where the store is, as HOST:PORT, one or more. Default: none, which means embedded in this agent. */
    public LaunchConfigBuilder rdzvEndpoints(List<String> value) {
        store = store.withEndpoints(value);
        return this;
    }

    /** One node with a store of its own, whatever the endpoint says. Default: false. */
    public LaunchConfigBuilder standalone(boolean value) {
        store = store.withStandalone(value);
        return this;
    }

    /** File with the run's secret, for several hosts. Default: minted, and kept in an external store's spec. */
    public LaunchConfigBuilder runKeyFile(Path value) {
        store = store.withRunKeyFile(Objects.requireNonNull(value, "value"));
        return this;
    }

    /**
     * Encrypts what nodes say to each other, by certificates made from the run key if none are given. Default: only where
     * this node listens at more than the loopback address.
     */
    public LaunchConfigBuilder tls(boolean value) {
        tls = tls.withWanted(value);
        return this;
    }

    /** Leaves what nodes say to each other in plain text also where other hosts can reach it. Default: false. */
    public LaunchConfigBuilder insecure(boolean value) {
        tls = tls.withInsecure(value);
        return this;
    }

    /** PEM of the certificate that this node shows; with key and authorities only. Default: made from the run key. */
    public LaunchConfigBuilder tlsCert(Path value) {
        tls = tls.withNodes(Objects.requireNonNull(value, "value"), tls.givenKey(), tls.givenAuthorities());
        return this;
    }

    /** PEM of the certificate's key, PKCS#8. Default: made. */
    public LaunchConfigBuilder tlsKey(Path value) {
        tls = tls.withNodes(tls.givenCertificate(), Objects.requireNonNull(value, "value"), tls.givenAuthorities());
        return this;
    }

    /** PEM of the authorities that vouch for the nodes of this run, and for nobody else. Default: the run key. */
    public LaunchConfigBuilder tlsCa(Path value) {
        tls = tls.withNodes(tls.givenCertificate(), tls.givenKey(), Objects.requireNonNull(value, "value"));
        return this;
    }

    /** PEM of the certificate that etcd is shown. Default: {@link #tlsCert} if etcd has its authorities, else none. */
    public LaunchConfigBuilder etcdCert(Path value) {
        tls = tls.withEtcd(Objects.requireNonNull(value, "value"), tls.givenEtcdKey(), tls.givenEtcdAuthorities());
        return this;
    }

    /** PEM of that certificate's key, PKCS#8. Default: {@link #tlsKey} if etcd has its authorities, else none. */
    public LaunchConfigBuilder etcdKey(Path value) {
        tls = tls.withEtcd(
                tls.givenEtcdCertificate(), Objects.requireNonNull(value, "value"), tls.givenEtcdAuthorities());
        return this;
    }

    /** PEM of the authorities that vouch for etcd. Default: {@link #tlsCa}; without that etcd is in plain text. */
    public LaunchConfigBuilder etcdCa(Path value) {
        tls = tls.withEtcd(tls.givenEtcdCertificate(), tls.givenEtcdKey(), Objects.requireNonNull(value, "value"));
        return this;
    }

    /** User of an etcd with authentication; with {@link #etcdPasswordFile}. Default: none. */
    public LaunchConfigBuilder etcdUser(String value) {
        store = store.withEtcdUser(new EtcdUser(
                Objects.requireNonNull(value, "value"), store.etcdUser().givenPasswordFile()));
        return this;
    }

    /** File with that user's password. Default: none. */
    public LaunchConfigBuilder etcdPasswordFile(Path value) {
        store = store.withEtcdUser(new EtcdUser(store.etcdUser().givenName(), Objects.requireNonNull(value, "value")));
        return this;
    }

    /** Lets whoever reaches an embedded store of this agent read it, as etcd's own clients do. Default: false. */
    public LaunchConfigBuilder storeOpenReads(boolean value) {
        store = store.withOpenReads(value);
        return this;
    }

    /** Where logs are kept, below it by run and node. Default: elastic-run-UID in the temporary directory. */
    public LaunchConfigBuilder logDir(Path value) {
        logs = logs.withDirectory(value);
        return this;
    }

    /** Where this agent's metrics are scraped. Default: nowhere. */
    public LaunchConfigBuilder metricsPort(ListenAddress value) {
        http = new HttpOptions(Objects.requireNonNull(value, "value"), http.dashboardAddress());
        return this;
    }

    /** Where this agent serves the page about the run. Default: nowhere. */
    public LaunchConfigBuilder dashboardPort(ListenAddress value) {
        http = new HttpOptions(http.metricsAddress(), Objects.requireNonNull(value, "value"));
        return this;
    }

    /** Name of the workers' role. Default: default. */
    public LaunchConfigBuilder role(String value) {
        workers = workers.withRole(value);
        return this;
    }

    /** Address at which other nodes reach this one. Default: that of the interface that leads to the store. */
    public LaunchConfigBuilder localAddr(String value) {
        store = store.withLocalAddr(Objects.requireNonNull(value, "value"));
        return this;
    }

    /**
     * Address of this machine at which agent and workers listen. Default: that at which other nodes reach this one, if it
     * is one of this machine's addresses; else all.
     */
    public LaunchConfigBuilder bindAddr(String value) {
        listen = new ListenOptions(Objects.requireNonNull(value, "value"), listen.givenPorts());
        return this;
    }

    /** Ports, A-B, for all that listens on this node without a port of its own. Default: the operating system's. */
    public LaunchConfigBuilder portRange(String value) {
        listen = new ListenOptions(listen.givenAddress(), Objects.requireNonNull(value, "value"));
        return this;
    }

    /** The java that runs a jar. Default: that of this process. */
    public LaunchConfigBuilder java(Path value) {
        workers = workers.withJava(value);
        return this;
    }

    /** Options of the workers' JVM. Default: none. */
    public LaunchConfigBuilder javaOpts(List<String> value) {
        workers = workers.withJavaOpts(value);
        return this;
    }

    /** More class path for a jar. Default: none. */
    public LaunchConfigBuilder classPath(String value) {
        workers = workers.withClassPath(Objects.requireNonNull(value, "value"));
        return this;
    }

    /** The jar's main class. Default: the one in its manifest. */
    public LaunchConfigBuilder mainClass(String value) {
        workers = workers.withMainClass(Objects.requireNonNull(value, "value"));
        return this;
    }

    /** Variables for the workers on top of this process's. Default: none. */
    public LaunchConfigBuilder environment(Map<String, String> value) {
        workers = workers.withEnvironment(value);
        return this;
    }

    /**
     * How long a silent node stays a member; at least 2 s. Too low: pauses evict healthy nodes. Too high: a loss that
     * cannot be proved stalls the run for so long. Default: 3 s.
     */
    public LaunchConfigBuilder leaseTtl(Duration value) {
        return time(TimeLimit.LEASE_TTL, value);
    }

    /**
     * How often the agent renews its node's lease; at least 50 ms, at most a third of the lease. Too low: more work for
     * the store than it is worth. Too high: one lost renewal more costs the lease. Default: a sixth of the lease.
     */
    public LaunchConfigBuilder heartbeatInterval(Duration value) {
        return time(TimeLimit.HEARTBEAT_INTERVAL, value);
    }

    /** How long the run waits for its minimum of nodes. Default: 600 s. */
    public LaunchConfigBuilder joinTimeout(Duration value) {
        return time(TimeLimit.JOIN_TIMEOUT, value);
    }

    /** How long a first round below the maximum waits for more nodes. Default: 5 s. */
    public LaunchConfigBuilder lastCallTimeout(Duration value) {
        return time(TimeLimit.LAST_CALL_TIMEOUT, value);
    }

    /** How long newcomers are collected before the world grows. Default: 500 ms. */
    public LaunchConfigBuilder scaleUpDelay(Duration value) {
        return time(TimeLimit.SCALE_UP_DELAY, value);
    }

    /**
     * How long the survivors of a failed or lost node wait for it, paused, before they go on without it. Only for
     * policies whose workers outlive rounds. 0: go on at once. Too high: a node that never returns costs that long.
     * Default: 0.
     */
    public LaunchConfigBuilder replacementWait(Duration value) {
        return time(TimeLimit.REPLACEMENT_WAIT, value);
    }

    /**
     * Directory for durable copies of checkpoints, which outlive the run; the same for all nodes, as on a network
     * file system. The run's are in a directory of its name. Default: none are made.
     */
    public LaunchConfigBuilder checkpointDir(Path value) {
        checkpoints = checkpoints.withDirectory(Objects.requireNonNull(value, "value"));
        return this;
    }

    /** How many versions lie between two durable copies. Too low: the disk is always busy. Default: 1. */
    public LaunchConfigBuilder checkpointEvery(int value) {
        checkpoints = checkpoints.withEvery(value);
        return this;
    }

    /**
     * How many other workers keep a copy of a worker's local state, on other nodes as far as there are.
     * Too low: it is lost with as many nodes at once. Too high: each copy is sent. Default: 2.
     */
    public LaunchConfigBuilder localReplicas(int value) {
        checkpoints = checkpoints.withLocalReplicas(value);
        return this;
    }

    /** What happens when no worker has the state that the run had. Default: the run starts again. */
    public LaunchConfigBuilder onStateLoss(StateLoss value) {
        checkpoints = checkpoints.withOnStateLoss(value);
        return this;
    }

    /**
     * The longest that a node which keeps leaving rounds by failure or loss waits before it is admitted again: at
     * once the first time, then 1 s, 2 s, 4 s and so on. Default: 60 s; 0: it never waits, and its workers may fail
     * as often as the budget allows. Too low: a broken node makes the others start over again and again.
     */
    public LaunchConfigBuilder rejoinBackOff(Duration value) {
        return time(TimeLimit.REJOIN_BACK_OFF, value);
    }

    /**
     * How long a node is not admitted that a worker wanted out of the run, or whose workers keep failing. Default:
     * 10 minutes.
     */
    public LaunchConfigBuilder excludeCoolDown(Duration value) {
        return time(TimeLimit.EXCLUDE_COOL_DOWN, value);
    }

    /** How long a worker may take to acknowledge PAUSE. Default: 10 s. */
    public LaunchConfigBuilder pauseTimeout(Duration value) {
        return time(TimeLimit.PAUSE_TIMEOUT, value);
    }

    /**
     * How long a worker may take from its start until it is ready for a round, which is when it has loaded its data; under
     * soft policies, whose workers start before there is one. Then it has failed to start. Zero = as long as it needs. Too
     * low: workers that load are killed, again and again. Too high: a program that never reports is waited for so long.
     * Default: zero.
     */
    public LaunchConfigBuilder readyTimeout(Duration value) {
        return time(TimeLimit.READY_TIMEOUT, value);
    }

    /**
     * How long workers may hear nothing from a peer whose host does not answer either. Too low: a slow network costs
     * rounds. Too high: a cut link stalls the run for so long. Default: 30 s.
     */
    public LaunchConfigBuilder peerTimeout(Duration value) {
        return time(TimeLimit.PEER_TIMEOUT, value);
    }

    /**
     * How long a worker waits in a collective operation for a peer that lives but does not call; zero = for ever.
     * Then its call fails, and the worker with it. Too low: a rank that computes, or reads data, for longer than the
     * others costs restarts. Too high: a program that hangs stalls the run for so long. Default: 30 minutes.
     */
    public LaunchConfigBuilder operationTimeout(Duration value) {
        return time(TimeLimit.OPERATION_TIMEOUT, value);
    }

    /**
     * The least time without progress after which a worker that tells its progress is taken to hang; ten times the
     * longest that it took before if that is more. It is then killed, and fails. Zero = never, else at least 1 s. Too
     * low: what a program does for the first time and without a section is taken for a hang. Default: 5 minutes.
     */
    public LaunchConfigBuilder hangTimeout(Duration value) {
        return time(TimeLimit.HANG_TIMEOUT, value);
    }

    /**
     * How long a worker may stay in a section in which it waits for its peers by other means than worker-api, when the
     * round is over for it; twice the longest that it stayed before if that is more, and twice all that if its library
     * still has its event loop thread. It is then killed, and fails. Zero = never. Too low: a worker that computes for
     * the first time is taken for one that hangs. Too high: one that hangs stalls the run for so long. Default: 3 s.
     */
    public LaunchConfigBuilder stragglerTimeout(Duration value) {
        return time(TimeLimit.STRAGGLER_TIMEOUT, value);
    }

    /** How long the store may be away before the agent gives up. Default: 60 s. */
    public LaunchConfigBuilder storeTimeout(Duration value) {
        return time(TimeLimit.STORE_TIMEOUT, value);
    }

    /** How long the store may take to answer for the first time. Default: 10 s. */
    public LaunchConfigBuilder firstContactTimeout(Duration value) {
        return time(TimeLimit.FIRST_CONTACT_TIMEOUT, value);
    }

    /** Grace between TERM and KILL, shared by all workers of the node. Default: 30 s. */
    public LaunchConfigBuilder shutdownTimeout(Duration value) {
        return time(TimeLimit.SHUTDOWN_TIMEOUT, value);
    }

    /** Signals that drain the agent besides HUP, INT and TERM, when it runs as a command. Default: none. */
    public LaunchConfigBuilder drainSignals(List<DrainSignal> value) {
        drainSignals = List.copyOf(value);
        return this;
    }

    /**
     * Exit codes of a worker after which the run ends as failed at once, without using budget: what fails in the same
     * way each time, as a wrong option. Each 1 to 255. Default: none.
     */
    public LaunchConfigBuilder noRetryExitCodes(List<Integer> value) {
        restarts = restarts.withNoRetryExitCodes(value);
        return this;
    }

    /**
     * How many incidents in a row without a new checkpoint between them end the run, with exit code 6; 0 = as many as
     * the budget allows. Too low: several unlucky incidents soon after each other end a healthy run. Default: 0.
     */
    public LaunchConfigBuilder noProgressLimit(int value) {
        restarts = restarts.withNoProgressLimit(value);
        return this;
    }

    /**
     * What is prepared for a framework around each round, as NAME or NAME:OPTION; see {@link
     * dev.elasticrun.agent.runtime.FrameworkRuntimeProvider}. All nodes of a run have the same. Default: none.
     */
    public LaunchConfigBuilder runtime(String value) {
        workers = workers.withRuntime(value);
        return this;
    }

    /** What part of the machine each worker runs on. Default: all of it. */
    public LaunchConfigBuilder bindTo(CpuBinding value) {
        workers = workers.withBindTo(value);
        return this;
    }

    /** Whether workers' output goes to this process's standard output and error, too. Default: true. */
    public LaunchConfigBuilder console(boolean value) {
        console = console.withShown(value);
        return this;
    }

    /**
     * What of workers' output is on the console, besides being in their logs. Default: standard error of all, and
     * standard output of rank 0.
     */
    public LaunchConfigBuilder tee(StreamMap value) {
        console = console.withTee(Objects.requireNonNull(value, "value"));
        return this;
    }

    /** What of workers' output is only in their logs, of what is on the console by default. Default: nothing. */
    public LaunchConfigBuilder redirects(StreamMap value) {
        console = console.withRedirects(value);
        return this;
    }

    /**
     * What is before each line on the console; may hold {@code ${rank}}, {@code ${local_rank}}, {@code
     * ${role_name}}, {@code ${node}}, {@code ${host}}, {@code ${run_id}} and {@code ${attempt}}. Throws
     * IllegalArgumentException for any other. Default: {@code [${role_name} ${rank}]:}.
     */
    public LaunchConfigBuilder logPrefix(String value) {
        console = console.withPrefix(value);
        return this;
    }

    /** Local ranks whose output can be on the console. Default: empty, which is all. */
    public LaunchConfigBuilder localRanksFilter(Set<Integer> value) {
        console = console.withLocalRanks(value);
        return this;
    }

    /** Lines of standard output that hold one of these are collected in filtered_stdout.log. Default: none. */
    public LaunchConfigBuilder duplicateStdoutFilters(List<String> value) {
        logs = logs.withStdoutFilters(value);
        return this;
    }

    /** Lines of standard error that hold one of these are collected in filtered_stderr.log. Default: none. */
    public LaunchConfigBuilder duplicateStderrFilters(List<String> value) {
        logs = logs.withStderrFilters(value);
        return this;
    }

    /**
     * Bytes from which a log is rotated; 0 = never, else at least 64 KiB. Too low: the disk is busy with copying.
     * Default: 0.
     */
    public LaunchConfigBuilder logMaxSize(long value) {
        logs = logs.withMaxBytes(value);
        return this;
    }

    /** How many rotated parts of a log are kept; older ones are deleted. Default: 10. */
    public LaunchConfigBuilder logMaxFiles(int value) {
        logs = logs.withMaxFiles(value);
        return this;
    }

    private LaunchConfigBuilder time(TimeLimit limit, Duration value) {
        times = times.with(limit, value);
        return this;
    }

    /** The configuration, of what was checked before. */
    LaunchConfig unchecked() {
        return new LaunchConfig(this);
    }

    /**
     * The configuration.
     *
     * @throws LaunchConfigException naming every value that is wrong, and what was expected
     */
    public LaunchConfig build() {
        LaunchConfig config = new LaunchConfig(this);
        List<String> violations = LaunchChecks.violations(config);
        if (!violations.isEmpty()) {
            throw new LaunchConfigException(violations);
        }
        return config;
    }
}
