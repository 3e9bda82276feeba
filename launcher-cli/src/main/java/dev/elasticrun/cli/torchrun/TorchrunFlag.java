/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.torchrun;

import java.util.Locale;

/**
 * The flags of torchrun that are no settings here. Each is accepted, and either stands for other settings or has no effect,
 * which its translation states.
 */
public enum TorchrunFlag {
    RDZV_CONF("KEY=VALUE,...", ""),
    /** With the port, and the backend: see {@link MeetingPlace}. */
    MASTER_ADDR("HOST", ""),
    MASTER_PORT("PORT", ""),
    NUMA_BINDING("HOW", ""),
    SIGNALS_TO_HANDLE("SIGNAL,...", ""),
    RUN_PATH("", "each worker is a process of the interpreter"),
    MONITOR_INTERVAL("SECONDS", "the end of a worker is noticed at once"),
    START_METHOD("METHOD", "each worker is a process of its own"),
    EVENT_LOG_HANDLER("NAME", "events are in events.jsonl of the log directory"),
    LOGS_SPECS("NAME", "--log-dir, --tee, --redirects and --log-prefix state where output goes"),
    EXIT_BARRIER_TIMEOUT("SECONDS", "no node waits for others when its workers are done"),
    /** Of {@code torch.distributed.launch}. */
    USE_ENV("", "local ranks are always in the environment");

    private final String label;
    private final String reason;

    TorchrunFlag(String label, String reason) {
        this.label = label;
        this.reason = reason;
    }

    /** As on the command line. */
    public String option() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Torchrun reads it, too. */
    public String variable() {
        return "PET_" + name();
    }

    /** What its value looks like; empty = it is a switch, which takes none. */
    public String label() {
        return label;
    }

    /**
     * What its value stands for.
     *
     * @param text of a switch that is on: anything
     * @throws IllegalArgumentException whose message states what is expected
     */
    public Translation translate(String text) {
        return switch (this) {
            case RDZV_CONF -> RendezvousConf.translate(text);
            case NUMA_BINDING -> NumaBinding.translate(text);
            case SIGNALS_TO_HANDLE -> HandledSignals.translate(text);
            default ->
                reason.isEmpty() ? Translation.NOTHING : Translation.ignored(option() + ": no effect, " + reason);
        };
    }
}
