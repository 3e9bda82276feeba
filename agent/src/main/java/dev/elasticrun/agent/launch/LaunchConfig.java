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
 */
public record LaunchConfig(String program, List<String> arguments, SettingValues values) {
    public LaunchConfig {
        Objects.requireNonNull(program, "program");
        arguments = List.copyOf(arguments);
    }

    /** @param program a jar, which runs on the JVM, or anything that can be executed */
    public static LaunchConfigBuilder builder(String program) {
        return new LaunchConfigBuilder(defaults(program));
    }

    /** The configuration of defaults only. Not checked: it may not be possible here. */
    public static LaunchConfig defaults(String program) {
        return new LaunchConfig(program, List.of(), SettingValues.DEFAULTS);
    }

    public LaunchConfigBuilder toBuilder() {
        return new LaunchConfigBuilder(this);
    }

    /** The value of a setting that has a default; throws NoSuchElementException if it has none and none is given. */
    public <T> T get(Setting<T> setting) {
        return values.get(setting);
    }

    public RunSize size() {
        NodeRange nodes = get(Settings.NNODES);
        return new RunSize(nodes.min(), nodes.max(), get(Settings.NPROC_PER_NODE));
    }

    public RestartOptions restarts() {
        return new RestartOptions(values);
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
