/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.ClassData;
import dev.elasticrun.agent.config.CpuBinding;
import dev.elasticrun.agent.config.DrainSignal;
import dev.elasticrun.agent.config.ListenAddress;
import dev.elasticrun.agent.config.LogFormat;
import dev.elasticrun.agent.config.LogLevel;
import dev.elasticrun.agent.config.NodeRange;
import dev.elasticrun.agent.config.RestartLimit;
import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.config.StateLoss;
import dev.elasticrun.agent.config.StreamMap;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects what an agent is to do; a later call wins. {@link #set} takes all {@link Settings}, where the default of each and
 * what it does are described; a call of the same name takes one. Not safe for use by several threads.
 */
public final class LaunchConfigBuilder {
    private final String program;
    private List<String> arguments;
    private SettingValues values;

    LaunchConfigBuilder(LaunchConfig from) {
        program = from.program();
        arguments = from.arguments();
        values = from.values();
    }

    /** Passed to every worker. Default: none. */
    public LaunchConfigBuilder arguments(List<String> value) {
        arguments = List.copyOf(value);
        return this;
    }

    /** Sets any setting. */
    public <T> LaunchConfigBuilder set(Setting<T> setting, T value) {
        values = values.with(setting, value);
        return this;
    }

    /**
     * Sets any setting by texts, as they are on a command line.
     *
     * @param texts at least one; of a setting with one value the last counts
     * @throws IllegalArgumentException whose message states what is expected
     */
    public LaunchConfigBuilder setTexts(Setting<?> setting, List<String> texts) {
        values = values.withTexts(setting, texts);
        return this;
    }

    /** Fewest and most nodes that may work. */
    public LaunchConfigBuilder nnodes(int min, int max) {
        return set(Settings.NNODES, new NodeRange(min, max));
    }

    /** The reverse of {@link Settings#NO_CONSOLE}. */
    public LaunchConfigBuilder console(boolean value) {
        return set(Settings.NO_CONSOLE, !value);
    }

    public LaunchConfigBuilder nprocPerNode(int value) {
        return set(Settings.NPROC_PER_NODE, value);
    }

    /** @param value NAME, or NAME:OPTION for a policy that takes an option */
    public LaunchConfigBuilder restartPolicy(String value) {
        return set(Settings.RESTART_POLICY, value);
    }

    public LaunchConfigBuilder spareWorkers(int value) {
        return set(Settings.SPARE_WORKERS, value);
    }

    public LaunchConfigBuilder policyPath(String value) {
        return set(Settings.POLICY_PATH, value);
    }

    public LaunchConfigBuilder maxRestarts(int value) {
        return maxRestarts(value, Duration.ZERO);
    }

    /** @param window at most {@code value} within any such time; zero = within the whole run */
    public LaunchConfigBuilder maxRestarts(int value, Duration window) {
        return set(Settings.MAX_RESTARTS, new RestartLimit(value, window));
    }

    public LaunchConfigBuilder restartRefund(Duration value) {
        return set(Settings.RESTART_REFUND, value);
    }

    public LaunchConfigBuilder runId(String value) {
        return set(Settings.RUN_ID, value);
    }

    /** @param value auto, etcd, embedded, or the name of another store */
    public LaunchConfigBuilder rdzvBackend(String value) {
        return set(Settings.RDZV_BACKEND, value);
    }

    public LaunchConfigBuilder rdzvEndpoints(List<String> value) {
        return set(Settings.RDZV_ENDPOINT, List.copyOf(value));
    }

    public LaunchConfigBuilder standalone(boolean value) {
        return set(Settings.STANDALONE, value);
    }

    public LaunchConfigBuilder runKeyFile(Path value) {
        return set(Settings.RUN_KEY_FILE, value);
    }

    public LaunchConfigBuilder localAddr(String value) {
        return set(Settings.LOCAL_ADDR, value);
    }

    public LaunchConfigBuilder bindAddr(String value) {
        return set(Settings.BIND_ADDR, value);
    }

    public LaunchConfigBuilder portRange(String value) {
        return set(Settings.PORT_RANGE, value);
    }

    public LaunchConfigBuilder tls(boolean value) {
        return set(Settings.TLS, value);
    }

    public LaunchConfigBuilder insecure(boolean value) {
        return set(Settings.INSECURE, value);
    }

    public LaunchConfigBuilder tlsCert(Path value) {
        return set(Settings.TLS_CERT, value);
    }

    public LaunchConfigBuilder tlsKey(Path value) {
        return set(Settings.TLS_KEY, value);
    }

    public LaunchConfigBuilder tlsCa(Path value) {
        return set(Settings.TLS_CA, value);
    }

    public LaunchConfigBuilder etcdCa(Path value) {
        return set(Settings.ETCD_CA, value);
    }

    public LaunchConfigBuilder etcdCert(Path value) {
        return set(Settings.ETCD_CERT, value);
    }

    public LaunchConfigBuilder etcdKey(Path value) {
        return set(Settings.ETCD_KEY, value);
    }

    public LaunchConfigBuilder etcdUser(String value) {
        return set(Settings.ETCD_USER, value);
    }

    public LaunchConfigBuilder etcdPasswordFile(Path value) {
        return set(Settings.ETCD_PASSWORD_FILE, value);
    }

    public LaunchConfigBuilder storeOpenReads(boolean value) {
        return set(Settings.STORE_OPEN_READS, value);
    }

    public LaunchConfigBuilder java(Path value) {
        return set(Settings.JAVA, value);
    }

    public LaunchConfigBuilder javaOpts(List<String> value) {
        return set(Settings.JAVA_OPTS, List.copyOf(value));
    }

    public LaunchConfigBuilder classPath(String value) {
        return set(Settings.CLASS_PATH, value);
    }

    public LaunchConfigBuilder mainClass(String value) {
        return set(Settings.MAIN_CLASS, value);
    }

    public LaunchConfigBuilder classData(ClassData value) {
        return set(Settings.CLASS_DATA, value);
    }

    public LaunchConfigBuilder environment(Map<String, String> value) {
        return set(Settings.ENV, Map.copyOf(value));
    }

    public LaunchConfigBuilder runtime(String value) {
        return set(Settings.RUNTIME, value);
    }

    public LaunchConfigBuilder role(String value) {
        return set(Settings.ROLE, value);
    }

    public LaunchConfigBuilder drainSignals(List<DrainSignal> value) {
        return set(Settings.DRAIN_SIGNAL, List.copyOf(value));
    }

    public LaunchConfigBuilder noRetryExitCodes(List<Integer> value) {
        return set(Settings.NO_RETRY_EXIT_CODES, List.copyOf(value));
    }

    public LaunchConfigBuilder noProgressLimit(int value) {
        return set(Settings.NO_PROGRESS_LIMIT, value);
    }

    public LaunchConfigBuilder bindTo(CpuBinding value) {
        return set(Settings.BIND_TO, value);
    }

    public LaunchConfigBuilder logDir(Path value) {
        return set(Settings.LOG_DIR, value);
    }

    public LaunchConfigBuilder tee(StreamMap value) {
        return set(Settings.TEE, value);
    }

    public LaunchConfigBuilder redirects(StreamMap value) {
        return set(Settings.REDIRECTS, value);
    }

    /** @throws IllegalArgumentException if it is no template */
    public LaunchConfigBuilder logPrefix(String value) {
        return setTexts(Settings.LOG_PREFIX, List.of(value));
    }

    public LaunchConfigBuilder localRanksFilter(Set<Integer> value) {
        return set(Settings.LOCAL_RANKS_FILTER, Set.copyOf(value));
    }

    public LaunchConfigBuilder duplicateStdoutFilters(List<String> value) {
        return set(Settings.DUPLICATE_STDOUT_FILTERS, List.copyOf(value));
    }

    public LaunchConfigBuilder duplicateStderrFilters(List<String> value) {
        return set(Settings.DUPLICATE_STDERR_FILTERS, List.copyOf(value));
    }

    public LaunchConfigBuilder logMaxSize(long value) {
        return set(Settings.LOG_MAX_SIZE, value);
    }

    public LaunchConfigBuilder logMaxFiles(int value) {
        return set(Settings.LOG_MAX_FILES, value);
    }

    public LaunchConfigBuilder dashboardPort(ListenAddress value) {
        return set(Settings.DASHBOARD_PORT, value);
    }

    public LaunchConfigBuilder metricsPort(ListenAddress value) {
        return set(Settings.METRICS_PORT, value);
    }

    public LaunchConfigBuilder otlpEndpoint(URI value) {
        return set(Settings.OTLP_ENDPOINT, value);
    }

    public LaunchConfigBuilder checkpointDir(Path value) {
        return set(Settings.CHECKPOINT_DIR, value);
    }

    public LaunchConfigBuilder checkpointEvery(int value) {
        return set(Settings.CHECKPOINT_EVERY, value);
    }

    public LaunchConfigBuilder checkpointReplicas(int value) {
        return set(Settings.CHECKPOINT_REPLICAS, value);
    }

    public LaunchConfigBuilder localReplicas(int value) {
        return set(Settings.LOCAL_REPLICAS, value);
    }

    public LaunchConfigBuilder checkpointParity(int value) {
        return set(Settings.CHECKPOINT_PARITY, value);
    }

    /** Read by the command; a Java program configures its logging library itself. */
    public LaunchConfigBuilder logLevel(LogLevel value) {
        return set(Settings.LOG_LEVEL, value);
    }

    /** As {@link #logLevel}. */
    public LaunchConfigBuilder logFormat(LogFormat value) {
        return set(Settings.LOG_FORMAT, value);
    }

    public LaunchConfigBuilder onStateLoss(StateLoss value) {
        return set(Settings.ON_STATE_LOSS, value);
    }

    public LaunchConfigBuilder leaseTtl(Duration value) {
        return set(Settings.LEASE_TTL, value);
    }

    public LaunchConfigBuilder heartbeatInterval(Duration value) {
        return set(Settings.HEARTBEAT_INTERVAL, value);
    }

    public LaunchConfigBuilder joinTimeout(Duration value) {
        return set(Settings.JOIN_TIMEOUT, value);
    }

    public LaunchConfigBuilder lastCallTimeout(Duration value) {
        return set(Settings.LAST_CALL_TIMEOUT, value);
    }

    public LaunchConfigBuilder scaleUpDelay(Duration value) {
        return set(Settings.SCALE_UP_DELAY, value);
    }

    public LaunchConfigBuilder replacementWait(Duration value) {
        return set(Settings.REPLACEMENT_WAIT, value);
    }

    public LaunchConfigBuilder rejoinBackOff(Duration value) {
        return set(Settings.REJOIN_BACK_OFF, value);
    }

    public LaunchConfigBuilder excludeCoolDown(Duration value) {
        return set(Settings.EXCLUDE_COOL_DOWN, value);
    }

    public LaunchConfigBuilder pauseTimeout(Duration value) {
        return set(Settings.PAUSE_TIMEOUT, value);
    }

    public LaunchConfigBuilder readyTimeout(Duration value) {
        return set(Settings.READY_TIMEOUT, value);
    }

    public LaunchConfigBuilder peerTimeout(Duration value) {
        return set(Settings.PEER_TIMEOUT, value);
    }

    public LaunchConfigBuilder operationTimeout(Duration value) {
        return set(Settings.OPERATION_TIMEOUT, value);
    }

    public LaunchConfigBuilder hangTimeout(Duration value) {
        return set(Settings.HANG_TIMEOUT, value);
    }

    public LaunchConfigBuilder stragglerTimeout(Duration value) {
        return set(Settings.STRAGGLER_TIMEOUT, value);
    }

    public LaunchConfigBuilder stateWait(Duration value) {
        return set(Settings.STATE_WAIT, value);
    }

    public LaunchConfigBuilder storeTimeout(Duration value) {
        return set(Settings.STORE_TIMEOUT, value);
    }

    public LaunchConfigBuilder firstContactTimeout(Duration value) {
        return set(Settings.FIRST_CONTACT_TIMEOUT, value);
    }

    public LaunchConfigBuilder shutdownTimeout(Duration value) {
        return set(Settings.SHUTDOWN_TIMEOUT, value);
    }

    /** The configuration, of what was checked before, or of what is only looked at: an agent may not start with it. */
    public LaunchConfig unchecked() {
        return LaunchConfig.of(program, arguments, values);
    }

    /**
     * The configuration.
     *
     * @throws LaunchConfigException naming every value that is wrong, and what was expected
     */
    public LaunchConfig build() {
        LaunchConfig config = unchecked();
        List<String> violations = LaunchChecks.violations(config);
        if (!violations.isEmpty()) {
            throw new LaunchConfigException(violations);
        }
        return config;
    }
}
