/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.DrainSignal;
import dev.elasticrun.agent.config.NodeRange;
import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import java.util.List;
import java.util.Objects;

/**
 * The configuration of one agent: a program, and the values of {@link Settings}. Immutable; the builder checks
 * everything and reports all that is wrong at once. The accessors group settings as they are used.
 *
 * @param program a jar, which runs on the JVM, or anything that can be executed
 * @param arguments passed to every worker
 * @param values of the settings
 * @param api where the program has the worker API from
 * @param policy the restart policy: the one among the values, else a default that depends on the program
 */
public record LaunchConfig(
        String program, List<String> arguments, SettingValues values, WorkerApi api, PolicyChoice policy) {
    public LaunchConfig {
        Objects.requireNonNull(program, "program");
        Objects.requireNonNull(api, "api");
        Objects.requireNonNull(policy, "policy");
        arguments = List.copyOf(arguments);
    }

    /** @param program a jar, which runs on the JVM, or anything that can be executed */
    public static LaunchConfigBuilder builder(String program) {
        return new LaunchConfigBuilder(defaults(program));
    }

    /** The configuration of defaults only. Not checked: it may not be possible here. */
    public static LaunchConfig defaults(String program) {
        return of(program, List.of(), SettingValues.DEFAULTS);
    }

    static LaunchConfig of(String program, List<String> arguments, SettingValues values) {
        WorkerApi api = WorkerApi.of(program, values);
        return new LaunchConfig(program, arguments, values, api, PolicyChoice.of(program, values, api));
    }

    public LaunchConfigBuilder toBuilder() {
        return new LaunchConfigBuilder(this);
    }

    /** The value of a setting that has a default; throws NoSuchElementException if it has none and none is given. */
    public <T> T get(Setting<T> setting) {
        return values.get(setting);
    }

    /** The value in effect as texts, from which it is read again; none = it is not set. */
    public <T> List<String> texts(Setting<T> setting) {
        return setting.equals(Settings.RESTART_POLICY) ? List.of(policy.name()) : values.texts(setting);
    }

    /** The same of what it would be if it were not given. */
    public <T> List<String> defaultTexts(Setting<T> setting) {
        return setting.equals(Settings.RESTART_POLICY)
                ? List.of(PolicyChoice.byDefault(program, values, api).name())
                : SettingValues.DEFAULTS.texts(setting);
    }

    public RunSize size() {
        NodeRange nodes = get(Settings.NNODES);
        return new RunSize(nodes.min(), nodes.max(), get(Settings.NPROC_PER_NODE));
    }

    public RestartOptions restarts() {
        return new RestartOptions(values, policy.name());
    }

    public StoreOptions store() {
        return new StoreOptions(values);
    }

    public WorkerOptions workers() {
        return new WorkerOptions(values);
    }

    public ConsoleOptions console() {
        return new ConsoleOptions(values);
    }

    public LogOptions logs() {
        return new LogOptions(values);
    }

    public HttpOptions http() {
        return new HttpOptions(values);
    }

    public CheckpointOptions checkpoints() {
        return new CheckpointOptions(values);
    }

    public ListenOptions listen() {
        return new ListenOptions(values);
    }

    public TlsOptions tls() {
        return new TlsOptions(values);
    }

    public Timeouts times() {
        return new Timeouts(values);
    }

    /** Signals that drain the agent besides HUP, INT and TERM, when it runs as a command. */
    public List<DrainSignal> drainSignals() {
        return get(Settings.DRAIN_SIGNAL);
    }
}
