/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfig;
import dev.elasticrun.agent.StreamMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Every flag that reaches the configuration, in the order of the help text. */
final class Flags {
    private Flags() {}

    /** Flags that belong together. */
    record Group(String title, List<Flag> flags) {}

    private static final Group SIZE = new Group(
            "Size and restarts",
            List.of(
                    Flag.of(
                                    "nnodes",
                                    "N|MIN:MAX",
                                    "How many nodes work together; MIN:MAX makes the run elastic.",
                                    (builder, text) -> {
                                        FlagValues.Nodes nodes = FlagValues.nodes(text);
                                        builder.nnodes(nodes.min(), nodes.max());
                                    },
                                    config -> List.of(FlagValues.text(
                                            new FlagValues.Nodes(config.minNodes(), config.maxNodes()))))
                            .orElse("1:1")
                            .asInTorchrun("nnodes"),
                    Flag.of(
                                    "nproc-per-node",
                                    "N|auto|cpu",
                                    "Workers on this node; auto and cpu: one per processor.",
                                    (builder, text) -> builder.nprocPerNode(FlagValues.nproc(
                                            text, Runtime.getRuntime().availableProcessors())),
                                    config -> List.of(Integer.toString(config.nprocPerNode())))
                            .orElse("1")
                            .asInTorchrun("nproc-per-node"),
                    Flag.of(
                                    "restart-policy",
                                    "NAME",
                                    "What a failure or a change of nodes does: hard restarts all workers, soft lets"
                                            + " healthy ones go on, soft-replace replaces only the failed ones.",
                                    LaunchConfig.Builder::restartPolicy,
                                    config -> List.of(config.restartPolicy()))
                            .orElse("hard"),
                    Flag.of(
                            "policy-path",
                            "PATH",
                            "Jars and directories with restart policies of your own, separated by ':'.",
                            LaunchConfig.Builder::policyPath,
                            config -> optional(config.policyPath())),
                    Flag.of(
                                    "max-restarts",
                                    "N",
                                    "Restarts that the whole run may use.",
                                    (builder, text) -> builder.maxRestarts(FlagValues.number(text, "0 or more")),
                                    config -> List.of(Integer.toString(config.maxRestarts())))
                            .orElse("3")
                            .asInTorchrun("max-restarts")));

    private static final Group MEETING = new Group(
            "Where nodes meet",
            List.of(
                    Flag.of(
                                    "run-id",
                                    "NAME",
                                    "Name of the run, the same on all its nodes. Default: random.",
                                    LaunchConfig.Builder::runId,
                                    config -> optional(config.runId()))
                            .alsoCalled("rdzv-id")
                            .asInTorchrun("rdzv-id"),
                    Flag.of(
                                    "rdzv-backend",
                                    "auto|etcd|embedded",
                                    "Who serves the store: an etcd of yours, or the first agent at the endpoint;"
                                            + " auto: etcd if there is an endpoint.",
                                    (builder, text) -> builder.rdzvBackend(FlagValues.backend(text)),
                                    config -> List.of(FlagValues.text(config.rdzvBackend())))
                            .orElse("auto")
                            .asInTorchrun("rdzv-backend"),
                    Flag.of(
                                    "rdzv-endpoint",
                                    "HOST[:PORT],...",
                                    "Where the store is; port 2379 if not given. Default: a store in this agent.",
                                    (builder, text) -> builder.rdzvEndpoints(FlagValues.endpoints(text)),
                                    config -> joined(config.rdzvEndpoints()))
                            .asInTorchrun("rdzv-endpoint"),
                    Flag.of(
                                    "standalone",
                                    "",
                                    "One node with a store of its own, whatever the endpoint says.",
                                    (builder, text) -> builder.standalone(FlagValues.yesOrNo(text)),
                                    config -> given(config.standalone()))
                            .asInTorchrun("standalone"),
                    Flag.of(
                            "run-key-file",
                            "FILE",
                            "The run's secret, for an embedded store and several hosts. Default: minted.",
                            path(LaunchConfig.Builder::runKeyFile),
                            config -> optional(config.runKeyFile().map(Path::toString))),
                    Flag.of(
                                    "local-addr",
                                    "HOST",
                                    "Address at which other nodes reach this one."
                                            + " Default: that of the interface that leads to the store.",
                                    LaunchConfig.Builder::localAddr,
                                    config -> optional(config.localAddr()))
                            .asInTorchrun("local-addr")));

    private static final Group WORKERS = new Group(
            "Workers",
            List.of(
                    Flag.of(
                            "java",
                            "FILE",
                            "The java that runs a PROGRAM ending in .jar. Default: the one that runs the agent.",
                            path(LaunchConfig.Builder::java),
                            config -> List.of(config.java().toString())),
                    Flag.of(
                            "java-opts",
                            "OPTIONS",
                            "Options of the workers' JVM, separated by spaces.",
                            (builder, text) -> builder.javaOpts(FlagValues.words(text)),
                            config -> config.javaOpts().isEmpty()
                                    ? List.of()
                                    : List.of(FlagValues.quoted(config.javaOpts()))),
                    Flag.of(
                            "class-path",
                            "PATH",
                            "More class path for a jar.",
                            LaunchConfig.Builder::classPath,
                            config -> optional(config.classPath())),
                    Flag.of(
                            "main-class",
                            "NAME",
                            "The jar's main class. Default: the one in its manifest.",
                            LaunchConfig.Builder::mainClass,
                            config -> optional(config.mainClass())),
                    Flag.many(
                            "env",
                            "NAME=VALUE",
                            "A variable for the workers; may be given several times.",
                            (builder, texts) -> builder.environment(FlagValues.variables(texts)),
                            config -> config.environment().entrySet().stream()
                                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                                    .sorted()
                                    .toList()),
                    Flag.of(
                                    "role",
                                    "NAME",
                                    "Name of the workers' role.",
                                    LaunchConfig.Builder::role,
                                    config -> List.of(config.role()))
                            .orElse("default")
                            .asInTorchrun("role")));

    private static final Group LOGS = new Group(
            "Logs",
            List.of(
                    Flag.of(
                                    "log-dir",
                                    "DIR",
                                    "Where logs are kept, below it by run and node."
                                            + " Default: elastic-run-UID in $TMPDIR or /tmp.",
                                    path(LaunchConfig.Builder::logDir),
                                    config -> List.of(config.logDir().toString()))
                            .asInTorchrun("log-dir"),
                    Flag.of(
                            "no-console",
                            "",
                            "Workers' output goes to the logs only.",
                            (builder, text) -> builder.console(!FlagValues.yesOrNo(text)),
                            config -> given(!config.console())),
                    Flag.of(
                                    "tee",
                                    "WHAT|RANK:WHAT,...",
                                    "What is on the console, by local rank: 0 or none, 1 or out, 2 or err, 3 or both."
                                            + " Default: err of all, and out of rank 0.",
                                    (builder, text) -> builder.tee(StreamMap.parse(text)),
                                    config -> optional(config.tee().map(StreamMap::text)))
                            .asInTorchrun("tee"),
                    Flag.of(
                                    "redirects",
                                    "WHAT|RANK:WHAT,...",
                                    "What is in the logs only, of what is on the console by default.",
                                    (builder, text) -> builder.redirects(StreamMap.parse(text)),
                                    config -> List.of(config.redirects().text()))
                            .orElse("0")
                            .alsoCalled("redirect")
                            .asInTorchrun("redirects"),
                    Flag.of(
                                    "log-prefix",
                                    "TEXT",
                                    "What is before each line on the console; knows ${rank}, ${local_rank},"
                                            + " ${role_name}, ${node}, ${host}, ${run_id} and ${attempt}.",
                                    LaunchConfig.Builder::logPrefix,
                                    config -> List.of(config.logPrefix()))
                            .orElse("[${role_name} ${rank}]:"),
                    Flag.of(
                                    "local-ranks-filter",
                                    "RANK,...",
                                    "Local ranks whose output can be on the console. Default: all.",
                                    (builder, text) -> builder.localRanksFilter(FlagValues.ranks(text)),
                                    config -> joined(config.localRanksFilter().stream()
                                            .sorted()
                                            .map(rank -> Integer.toString(rank))
                                            .toList()))
                            .asInTorchrun("local-ranks-filter"),
                    Flag.of(
                                    "duplicate-stdout-filters",
                                    "TEXT,...",
                                    "Lines of standard output with one of these are collected in filtered_stdout.log;"
                                            + " ',,' is a comma.",
                                    (builder, text) -> builder.duplicateStdoutFilters(FlagValues.texts(text)),
                                    config -> FlagValues.joined(config.duplicateStdoutFilters()))
                            .asInTorchrun("duplicate-stdout-filters"),
                    Flag.of(
                                    "duplicate-stderr-filters",
                                    "TEXT,...",
                                    "The same of standard error, in filtered_stderr.log.",
                                    (builder, text) -> builder.duplicateStderrFilters(FlagValues.texts(text)),
                                    config -> FlagValues.joined(config.duplicateStderrFilters()))
                            .asInTorchrun("duplicate-stderr-filters"),
                    Flag.of(
                                    "log-max-size",
                                    "SIZE",
                                    "Size (500k, 64m, 1g) from which a log is rotated; 0: never.",
                                    (builder, text) -> builder.logMaxSize(FlagValues.size(text)),
                                    config -> List.of(FlagValues.text(config.logMaxSize())))
                            .orElse("0"),
                    Flag.of(
                                    "log-max-files",
                                    "N",
                                    "How many rotated parts of a log are kept.",
                                    (builder, text) -> builder.logMaxFiles(FlagValues.number(text, "1 or more")),
                                    config -> List.of(Integer.toString(config.logMaxFiles())))
                            .orElse("10")));

    private static final Group CHECKPOINTS = new Group(
            "Checkpoints",
            List.of(
                    Flag.of(
                            "checkpoint-dir",
                            "DIR",
                            "Where durable copies of checkpoints go, the same for all nodes, below it by run."
                                    + " Default: none are made.",
                            path(LaunchConfig.Builder::checkpointDir),
                            config -> optional(config.checkpointDir().map(Path::toString))),
                    Flag.of(
                                    "checkpoint-every",
                                    "N",
                                    "How many versions lie between two durable copies.",
                                    (builder, text) -> builder.checkpointEvery(FlagValues.number(text, "1 or more")),
                                    config -> List.of(Integer.toString(config.checkpointEvery())))
                            .orElse("1"),
                    Flag.of(
                                    "local-replicas",
                                    "N",
                                    "On how many other nodes a worker's local state is copied.",
                                    (builder, text) -> builder.localReplicas(FlagValues.number(text, "0 or more")),
                                    config -> List.of(Integer.toString(config.localReplicas())))
                            .orElse("2"),
                    Flag.of(
                                    "on-state-loss",
                                    "restart|fail",
                                    "What happens when no worker has the state that the run had: it starts again, or"
                                            + " ends as failed.",
                                    (builder, text) -> builder.onStateLoss(FlagValues.stateLoss(text)),
                                    config -> List.of(config.onStateLoss().text()))
                            .orElse("restart")));

    private static final Group TIMES = new Group(
            "Times (500ms, 5s, 2m, 1h; a plain number is seconds)",
            List.of(
                    time(
                            "lease-ttl",
                            "How long a silent node stays a member; at least 2s.",
                            LaunchConfig.Builder::leaseTtl,
                            LaunchConfig::leaseTtl,
                            "3s"),
                    Flag.of(
                            "heartbeat-interval",
                            "TIME",
                            "How often the lease is renewed, at most a third of it. Default: a sixth of it.",
                            (builder, text) -> builder.heartbeatInterval(FlagValues.duration(text)),
                            config -> optional(config.heartbeatInterval().map(FlagValues::text))),
                    time(
                            "join-timeout",
                            "How long the run waits for its minimum of nodes.",
                            LaunchConfig.Builder::joinTimeout,
                            LaunchConfig::joinTimeout,
                            "600s"),
                    time(
                            "last-call-timeout",
                            "How long the first round waits for more nodes once it has the minimum.",
                            LaunchConfig.Builder::lastCallTimeout,
                            LaunchConfig::lastCallTimeout,
                            "5s"),
                    time(
                            "scale-up-delay",
                            "How long newcomers are collected before the world grows.",
                            LaunchConfig.Builder::scaleUpDelay,
                            LaunchConfig::scaleUpDelay,
                            "500ms"),
                    time(
                            "replacement-wait",
                            "How long survivors wait, paused, for a failed or lost node before they go on without it.",
                            LaunchConfig.Builder::replacementWait,
                            LaunchConfig::replacementWait,
                            "0s"),
                    time(
                            "rejoin-back-off",
                            "The longest that a node which keeps failing waits before it may join again; 0: never waits.",
                            LaunchConfig.Builder::rejoinBackOff,
                            LaunchConfig::rejoinBackOff,
                            "60s"),
                    time(
                            "exclude-cool-down",
                            "How long a node stays out that a worker excluded, or whose workers keep failing.",
                            LaunchConfig.Builder::excludeCoolDown,
                            LaunchConfig::excludeCoolDown,
                            "600s"),
                    time(
                            "pause-timeout",
                            "How long a worker may take to acknowledge PAUSE.",
                            LaunchConfig.Builder::pauseTimeout,
                            LaunchConfig::pauseTimeout,
                            "10s"),
                    time(
                            "peer-timeout",
                            "How long workers may hear nothing from a peer.",
                            LaunchConfig.Builder::peerTimeout,
                            LaunchConfig::peerTimeout,
                            "30s"),
                    time(
                            "operation-timeout",
                            "How long a collective operation waits for a peer that lives but never calls; 0: for ever.",
                            LaunchConfig.Builder::operationTimeout,
                            LaunchConfig::operationTimeout,
                            "1800s"),
                    time(
                            "store-timeout",
                            "How long the store may be away before the agent gives up.",
                            LaunchConfig.Builder::storeTimeout,
                            LaunchConfig::storeTimeout,
                            "60s"),
                    time(
                            "first-contact-timeout",
                            "How long the store may take to answer for the first time.",
                            LaunchConfig.Builder::firstContactTimeout,
                            LaunchConfig::firstContactTimeout,
                            "10s"),
                    time(
                            "shutdown-timeout",
                            "Grace between TERM and KILL, shared by all workers of the node.",
                            LaunchConfig.Builder::shutdownTimeout,
                            LaunchConfig::shutdownTimeout,
                            "30s")));

    static final List<Group> GROUPS = List.of(SIZE, MEETING, WORKERS, SupervisionFlags.GROUP, LOGS, CHECKPOINTS, TIMES);

    static List<Flag> all() {
        return GROUPS.stream().flatMap(group -> group.flags().stream()).toList();
    }

    private static Flag time(
            String name,
            String help,
            BiConsumer<LaunchConfig.Builder, Duration> setter,
            Function<LaunchConfig, Duration> reader,
            String fallback) {
        return Flag.of(
                        name,
                        "TIME",
                        help,
                        (builder, text) -> setter.accept(builder, FlagValues.duration(text)),
                        config -> List.of(FlagValues.text(reader.apply(config))))
                .orElse(fallback);
    }

    private static Flag.TextSetter path(BiConsumer<LaunchConfig.Builder, Path> setter) {
        return (builder, text) -> setter.accept(builder, FlagValues.path(text));
    }

    private static List<String> optional(Optional<String> value) {
        return value.map(List::of).orElse(List.of());
    }

    private static List<String> joined(List<String> values) {
        return values.isEmpty() ? List.of() : List.of(String.join(",", values));
    }

    /** A flag without a value is in the command line or not. */
    private static List<String> given(boolean value) {
        return value ? List.of("true") : List.of();
    }
}
