/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.List;

/**
 * What one agent is to run, and how. Immutable; each flag of the command is one call of the builder, which checks
 * everything and reports all that is wrong at once.
 */
public final class LaunchConfig {
    private final String program;
    private final List<String> arguments;
    private final RunSize size;
    private final RestartOptions restarts;
    private final StoreOptions store;
    private final WorkerOptions workers;
    private final ConsoleOptions console;
    private final LogOptions logs;
    private final HttpOptions http;
    private final CheckpointOptions checkpoints;
    private final TlsOptions tls;
    private final ListenOptions listen;
    private final Timeouts times;
    private final List<DrainSignal> drainSignals;

    LaunchConfig(LaunchConfigBuilder from) {
        program = from.program;
        arguments = from.arguments;
        size = from.size;
        restarts = from.restarts;
        store = from.store;
        workers = from.workers;
        console = from.console;
        logs = from.logs;
        http = from.http;
        checkpoints = from.checkpoints;
        tls = from.tls;
        listen = from.listen;
        times = from.times;
        drainSignals = from.drainSignals;
    }

    /** @param program a jar, which runs on the JVM, or anything that can be executed */
    public static LaunchConfigBuilder builder(String program) {
        return new LaunchConfigBuilder(program);
    }

    /** What holds where nothing else is said. Not checked: it may not be possible here. */
    public static LaunchConfig defaults(String program) {
        return new LaunchConfig(new LaunchConfigBuilder(program));
    }

    public LaunchConfigBuilder toBuilder() {
        LaunchConfigBuilder builder = new LaunchConfigBuilder(program);
        builder.arguments = arguments;
        builder.size = size;
        builder.restarts = restarts;
        builder.store = store;
        builder.workers = workers;
        builder.console = console;
        builder.logs = logs;
        builder.http = http;
        builder.checkpoints = checkpoints;
        builder.tls = tls;
        builder.listen = listen;
        builder.times = times;
        builder.drainSignals = drainSignals;
        return builder;
    }

    public String program() {
        return program;
    }

    public List<String> arguments() {
        return arguments;
    }

    public RunSize size() {
        return size;
    }

    public RestartOptions restarts() {
        return restarts;
    }

    public StoreOptions store() {
        return store;
    }

    public WorkerOptions workers() {
        return workers;
    }

    public ConsoleOptions console() {
        return console;
    }

    public LogOptions logs() {
        return logs;
    }

    public HttpOptions http() {
        return http;
    }

    public CheckpointOptions checkpoints() {
        return checkpoints;
    }

    public ListenOptions listen() {
        return listen;
    }

    public TlsOptions tls() {
        return tls;
    }

    public Timeouts times() {
        return times;
    }

    /** Signals that drain the agent besides HUP, INT and TERM, when it runs as a command. */
    public List<DrainSignal> drainSignals() {
        return drainSignals;
    }

    /** Names and values; of the environment only the names. */
    @Override
    public String toString() {
        return "LaunchConfig[program=" + program + ", arguments=" + arguments + ", " + size + ", " + restarts + ", "
                + store + ", " + workers + "]";
    }
}
