/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import static dev.elasticrun.agent.config.SettingKind.DIR;
import static dev.elasticrun.agent.config.SettingKind.ENDPOINTS;
import static dev.elasticrun.agent.config.SettingKind.EXIT_CODES;
import static dev.elasticrun.agent.config.SettingKind.FILE;
import static dev.elasticrun.agent.config.SettingKind.LISTEN;
import static dev.elasticrun.agent.config.SettingKind.NODES;
import static dev.elasticrun.agent.config.SettingKind.PREFIX;
import static dev.elasticrun.agent.config.SettingKind.RANKS;
import static dev.elasticrun.agent.config.SettingKind.SEARCH_PATH;
import static dev.elasticrun.agent.config.SettingKind.SIGNALS;
import static dev.elasticrun.agent.config.SettingKind.SIZE;
import static dev.elasticrun.agent.config.SettingKind.STREAMS;
import static dev.elasticrun.agent.config.SettingKind.SWITCH;
import static dev.elasticrun.agent.config.SettingKind.TEXTS;
import static dev.elasticrun.agent.config.SettingKind.TIME;
import static dev.elasticrun.agent.config.SettingKind.VARIABLES;
import static dev.elasticrun.agent.config.SettingKind.WORDS;
import static dev.elasticrun.agent.config.SettingKind.choice;
import static dev.elasticrun.agent.config.SettingKind.number;
import static dev.elasticrun.agent.config.SettingKind.one;
import static dev.elasticrun.agent.config.SettingKind.text;

import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The table of all settings. Each is described here and nowhere else: command line, variables, files, help, completion,
 * docs, checks and what workers get of it follow. A new one is an entry here, in its group below, and what reads it.
 */
public final class Settings {
    private static final Pattern RUN_ID_FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final int MAX_SLOTS = 1024;
    private static final String SLOTS = "1 to " + MAX_SLOTS + ", auto, cpu or gpu";
    private static final long LEAST_LOG = 64 << 10;

    // Size and restarts
    public static final Setting<NodeRange> NNODES = NODES.setting(
                    "nnodes", "1:1", "How many nodes work together; MIN:MAX makes the run elastic.")
            .asInTorchrun()
            .must(NodeRange::isPossible, NodeRange.EXPECTED);
    public static final Setting<Integer> NPROC_PER_NODE = one(
                    "N|auto|cpu|gpu", text -> Processors.workers(text, SLOTS), String::valueOf)
            .setting(
                    "nproc-per-node",
                    "1",
                    "Workers on this node; cpu: one per processor; gpu: one per NVIDIA GPU; auto: gpu where there is"
                            + " one, else cpu.")
            .asInTorchrun()
            .must(count -> count >= 1 && count <= MAX_SLOTS, SLOTS);
    /**
     * Name of a {@link dev.elasticrun.rendezvous.restart.RestartPolicyStrategy}, with an option after a colon if it takes one.
     * The default depends on the program, so that it is a part of the launch: {@link
     * dev.elasticrun.agent.launch.PolicyChoice}.
     */
    public static final Setting<String> RESTART_POLICY = text("hard|soft|soft-replace|soft-elastic|NAME[:OPTION]")
            .setting(
                    "restart-policy",
                    "What a failure or a change of nodes does: hard restarts all workers, soft lets those of"
                            + " other nodes go on, soft-replace replaces only the failed ones while the others"
                            + " wait, soft-elastic lets all others go on without them until they are replaced;"
                            + " or a policy of your own, with an option if it takes one."
                            + " Default: soft-elastic for one node and a jar with the worker API in its class path,"
                            + " else hard.");

    public static final Setting<Integer> SPARE_WORKERS = number("0 or more")
            .setting(
                    "spare-workers",
                    "0",
                    "Workers of this node beyond --nproc-per-node that have loaded and wait without a rank, to"
                            + " take the place of one that fails at once; soft-elastic and soft-replace only.")
            .must(count -> count >= 0 && count <= MAX_SLOTS, "0 to " + MAX_SLOTS);

    public static final Setting<String> POLICY_PATH = SEARCH_PATH.setting(
            "policy-path",
            "Jars and directories with restart policies, runtimes and stores of your own, separated by ':'.");
    public static final Setting<RestartLimit> MAX_RESTARTS = one(
                    "N|N/TIME", RestartLimit::parse, RestartLimit::toString)
            .setting(
                    "max-restarts",
                    "3",
                    "Restarts that the whole run may use; N/TIME: within any such time, as in 3/1h. A restart"
                            + " that is longer ago counts no more.")
            .asInTorchrun()
            .must(RestartLimit::isPossible, RestartLimit.EXPECTED);
    /** Too low: a program that fails now and then, and never gets far, is started again for ever. */
    public static final Setting<Duration> RESTART_REFUND = TIME.setting(
                    "restart-refund",
                    "0s",
                    "For each such time of progress without a failure that is charged, one used restart comes"
                            + " back; 0: none does.")
            .must(time -> time.isZero() || time.compareTo(Duration.ofSeconds(1)) >= 0, "0s, or at least 1s");

    // Where nodes meet
    public static final Setting<String> RUN_ID = text("NAME")
            .setting("run-id", "Name of the run, the same on all its nodes. Default: random.")
            .alsoCalled("rdzv-id")
            .asInTorchrun("rdzv-id")
            .must(id -> RUN_ID_FORM.matcher(id).matches(), "letters, digits, '.', '_' and '-', at most 128");
    public static final Setting<Boolean> ONCE = SWITCH.setting(
            "once",
            "A run of that name that has succeeded in the last ten minutes is not started again: an agent that comes"
                    + " later ends with exit code 0. Default where an engine names the run, as engines start agents"
                    + " again.");
    public static final Setting<String> RDZV_BACKEND = text("auto|etcd|embedded|NAME")
            .refusing("c10d", "embedded, which stands for c10d here: the first agent at the endpoint serves the store")
            .setting(
                    "rdzv-backend",
                    "auto",
                    "Who serves the store: an etcd of yours, the first agent at the endpoint, or a store of another"
                            + " kind; auto: etcd if there is an endpoint.")
            .asInTorchrun();
    public static final Setting<List<String>> RDZV_ENDPOINT = ENDPOINTS
            .setting("rdzv-endpoint", "Where the store is; port 2379 if not given. Default: a store in this agent.")
            .asInTorchrun();
    /** Read by the command line only: a program that launches agents gives them what it knows. */
    public static final Setting<EngineChoice> ENGINE = choice(EngineChoice.class)
            .setting(
                    "engine",
                    "auto",
                    "Whose variables give what no flag, variable or file does: the run's name, its number of nodes,"
                            + " this node's rank and address, and a worker per GPU; auto: those of the engine that started"
                            + " this process.");

    public static final Setting<Boolean> STANDALONE = SWITCH.setting(
                    "standalone", "One node with a store of its own, whatever the endpoint is.")
            .asInTorchrun();
    public static final Setting<Path> RUN_KEY_FILE = FILE.setting(
                    "run-key-file", "The run's secret, for an embedded store and several hosts. Default: minted.")
            .must(Files::isReadable, "a file that can be read");
    public static final Setting<Integer> NODE_RANK = number("0 or more")
            .setting(
                    "node-rank",
                    "Place of this node in the first order of ranks, before all that have none, which are in the order"
                            + " of their host names. Default: none.")
            .asInTorchrun()
            .must(rank -> rank >= 0, "0 or more");
    public static final Setting<String> LOCAL_ADDR = text("HOST")
            .setting(
                    "local-addr",
                    "Address at which other nodes reach this one. Default: that of the interface that leads to"
                            + " the store.")
            .asInTorchrun();
    public static final Setting<String> BIND_ADDR = text("HOST")
            .setting(
                    "bind-addr",
                    "Address of this machine at which agent and workers listen. Default: that at which other"
                            + " nodes reach this one; all, if that is not one of this machine (NAT).");
    public static final Setting<String> PORT_RANGE = text("A-B")
            .setting(
                    "port-range",
                    "Ports for all that listens on this node without a port of its own: agent, workers, what is"
                            + " reserved for rank 0. Default: the operating system's.");

    // Encryption
    public static final Setting<Boolean> TLS = SWITCH.setting(
            "tls",
            "Encrypts what agents, workers of several nodes, commands and an embedded store send to each"
                    + " other. Certificates are made from the run key if none are given. Default: what the run"
                    + " does; its first agent encrypts if it listens at more than a loopback address.");
    public static final Setting<Boolean> INSECURE =
            SWITCH.setting("insecure", "Leaves it in plain text, wherever the node listens.");
    public static final Setting<Path> TLS_CERT = FILE.setting(
            "tls-cert", "Certificate that this node shows, PEM; with --tls-key and --tls-ca. Implies --tls.");
    public static final Setting<Path> TLS_KEY = FILE.setting("tls-key", "The certificate's key, PEM of PKCS#8.");
    public static final Setting<Path> TLS_CA =
            FILE.setting("tls-ca", "Authorities that vouch for the run's nodes, and for nobody else, PEM.");
    public static final Setting<Path> ETCD_CA = FILE.setting(
            "etcd-ca", "Authorities that vouch for the etcd, PEM; connections to it use TLS. Default: --tls-ca.");
    public static final Setting<Path> ETCD_CERT = FILE.setting(
            "etcd-cert", "Certificate that the etcd is shown, PEM. Default: --tls-cert if there is no --etcd-ca.");
    public static final Setting<Path> ETCD_KEY = FILE.setting("etcd-key", "That certificate's key, PEM of PKCS#8.");
    public static final Setting<String> ETCD_USER =
            text("NAME").setting("etcd-user", "User of an etcd with authentication; with --etcd-password-file.");
    public static final Setting<Path> ETCD_PASSWORD_FILE =
            FILE.setting("etcd-password-file", "File with that user's password.");
    public static final Setting<Boolean> STORE_OPEN_READS = SWITCH.setting(
            "store-open-reads",
            "Whoever reaches an embedded store of this agent may read it, such as etcdctl; writes need"
                    + " the run key all the same.");

    // Workers
    public static final Setting<Path> JAVA = FILE.setting(
                    "java", "The java that runs a PROGRAM ending in .jar. Default: the one that runs the agent.")
            .orElse(() -> Path.of(System.getProperty("java.home"), "bin", "java"));
    public static final Setting<List<String>> JAVA_OPTS =
            WORDS.setting("java-opts", "Options of the workers' JVM, separated by spaces.");
    public static final Setting<String> CLASS_PATH = SEARCH_PATH.setting("class-path", "More class path for a jar.");
    public static final Setting<String> MAIN_CLASS =
            text("NAME").setting("main-class", "The jar's main class. Default: the one in its manifest.");
    public static final Setting<ClassData> CLASS_DATA = choice(ClassData.class)
            .setting(
                    "class-data",
                    "auto",
                    "auto: once workers of a jar have worked for ten seconds, their classes are archived, so that"
                            + " those started later load them faster; off: never.");
    public static final Setting<Map<String, String>> ENV =
            VARIABLES.setting("env", "A variable for the workers; may be given several times.");
    /** Name of a {@link dev.elasticrun.agent.runtime.FrameworkRuntimeProvider}, and its option. The same on all nodes. */
    public static final Setting<String> RUNTIME = text("none|xgboost|NAME[:OPTION]")
            .setting(
                    "runtime",
                    "none",
                    "What is prepared for a framework around each round; xgboost: a tracker, and where it is;"
                            + " xgboost:own-tracker: only where rank 0 is to start its own.");

    public static final Setting<Boolean> MODULE = SWITCH.setting(
                    "module", "PROGRAM is the name of a Python module, which the interpreter runs (-m).")
            .asInTorchrun()
            .shortened("m");
    public static final Setting<Boolean> NO_PYTHON = SWITCH.setting(
                    "no-python", "A PROGRAM that ends in .py is executed, and not run by the interpreter.")
            .asInTorchrun();
    public static final Setting<Boolean> VIRTUAL_LOCAL_RANK = SWITCH.setting(
                    "virtual-local-rank",
                    "Each worker has LOCAL_RANK 0, and CUDA_VISIBLE_DEVICES has only the GPU of its own.")
            .asInTorchrun();
    public static final Setting<String> ROLE = text("NAME")
            .setting("role", "default", "Name of the workers' role.")
            .asInTorchrun()
            .must(Predicate.not(String::isBlank), "a name")
            .toWorkers(WorkerEnv.ROLE_NAME, role -> role);

    // Supervision
    public static final Setting<List<DrainSignal>> DRAIN_SIGNAL = SIGNALS.setting(
            "drain-signal",
            "Signals that drain the agent, besides HUP, INT and TERM, as a scheduler sends them before" + " the end.");
    /** For what fails in the same way each time, as a wrong option. */
    public static final Setting<List<Integer>> NO_RETRY_EXIT_CODES = EXIT_CODES.setting(
            "no-retry-exit-codes", "Exit codes of a worker that end the run at once, whatever budget is left.");
    /** Too low: several unlucky incidents soon after each other end a healthy run. */
    public static final Setting<Integer> NO_PROGRESS_LIMIT = count(
            "no-progress-limit",
            "0",
            0,
            "Incidents in a row without a new checkpoint before them that end the run, with exit code 6;"
                    + " 0: any number.");

    public static final Setting<CpuBinding> BIND_TO = choice(CpuBinding.class)
            .setting(
                    "bind-to",
                    "none",
                    "Processors that each worker runs on: cores of its own, or those of a NUMA node. Memory is"
                            + " bound to nothing: it is where a worker first touches it.");

    // Logs
    public static final Setting<Path> LOG_DIR = DIR.setting(
                    "log-dir",
                    "Where logs are kept, below it by run and node. Default: elastic-run-UID in $TMPDIR or /tmp.")
            .orElse(() -> Path.of(System.getenv().getOrDefault("TMPDIR", "/tmp"), "elastic-run-" + RunDirectory.uid()))
            .asInTorchrun();
    public static final Setting<LogLevel> LOG_LEVEL = choice(LogLevel.class)
            .setting("log-level", "info", "The least severe lines of the agent's own that are on the console.");
    public static final Setting<LogFormat> LOG_FORMAT = choice(LogFormat.class)
            .setting(
                    "log-format",
                    "text",
                    "What these lines look like; json: an object each, with time, level, run, node and message.");
    public static final Setting<Boolean> NO_CONSOLE =
            SWITCH.setting("no-console", "Workers' output goes to the logs only.");
    public static final Setting<StreamMap> TEE = STREAMS.setting(
                    "tee",
                    "What is on the console, by local rank: 0 or none, 1 or out, 2 or err, 3 or both. Default:"
                            + " err of all, and out of rank 0.")
            .asInTorchrun()
            .shortened("t");
    public static final Setting<StreamMap> REDIRECTS = STREAMS.setting(
                    "redirects", "0", "What is in the logs only, of what is on the console by default.")
            .alsoCalled("redirect")
            .asInTorchrun()
            .shortened("r");
    public static final Setting<LogPrefix> LOG_PREFIX = PREFIX.setting(
            "log-prefix",
            "[${role_name} ${rank}]:",
            "What is before each line on the console; knows ${rank}, ${local_rank}, ${role_name},"
                    + " ${node}, ${host}, ${run_id} and ${attempt}.");
    public static final Setting<Set<Integer>> LOCAL_RANKS_FILTER = RANKS.setting(
                    "local-ranks-filter", "Local ranks whose output can be on the console. Default: all.")
            .asInTorchrun();
    public static final Setting<List<String>> DUPLICATE_STDOUT_FILTERS = TEXTS.setting(
                    "duplicate-stdout-filters",
                    "Lines of standard output with one of these are collected in filtered_stdout.log; ',,' is a"
                            + " comma.")
            .asInTorchrun();
    public static final Setting<List<String>> DUPLICATE_STDERR_FILTERS = TEXTS.setting(
                    "duplicate-stderr-filters", "The same of standard error, in filtered_stderr.log.")
            .asInTorchrun();
    /** Too low: the disk is busy with copying. */
    public static final Setting<Long> LOG_MAX_SIZE = SIZE.setting(
                    "log-max-size", "0", "Size (500k, 64m, 1g) from which a log is rotated; 0: never.")
            .must(bytes -> bytes == 0 || bytes >= LEAST_LOG, "0 or at least 64k");

    public static final Setting<Integer> LOG_MAX_FILES =
            count("log-max-files", "10", 1, "How many rotated parts of a log are kept.");

    // Watching the run
    public static final Setting<ListenAddress> DASHBOARD_PORT = LISTEN.setting(
            "dashboard-port",
            "Serve a web page about the run there; 0 is any free port, and without HOST only this machine"
                    + " reaches it. Default: none.");
    public static final Setting<ListenAddress> METRICS_PORT = LISTEN.setting(
            "metrics-port",
            "Serve metrics for Prometheus there, at /metrics; 0 and HOST as above, and both flags may"
                    + " name the same. Default: none.");

    public static final Setting<URI> OTLP_ENDPOINT = one("URL", SettingTexts::url, URI::toString)
            .setting(
                    "otlp-endpoint",
                    "Send metrics, and incidents as spans, to an OpenTelemetry collector there, by OTLP over HTTP."
                            + " Default: none.")
            .must(SettingTexts::isHttp, SettingTexts.HTTP_URL);

    // Checkpoints
    public static final Setting<Path> CHECKPOINT_DIR = DIR.setting(
                    "checkpoint-dir",
                    "Where durable copies of checkpoints go, the same for all nodes, below it by run. Default:"
                            + " none are made.")
            .must(directory -> !Files.exists(directory) || Files.isDirectory(directory), "a directory");
    /** Too low: the disk is always busy. */
    public static final Setting<Integer> CHECKPOINT_EVERY =
            count("checkpoint-every", "1", 1, "How many versions lie between two durable copies.");
    /** Too low: a state is lost with as many nodes at once. Too high: each copy is sent. */
    public static final Setting<Integer> LOCAL_REPLICAS = count(
                    "local-replicas",
                    "2",
                    0,
                    "How many other workers keep a copy of a worker's local state, on other nodes as far as there"
                            + " are. The same for all nodes.")
            .toWorkers(WorkerEnv.LOCAL_REPLICAS, String::valueOf);

    /** Too low: as much memory as copies. Too high: two nodes of a group are lost at once, and a state with them. */
    public static final Setting<Integer> CHECKPOINT_PARITY = number("0, or 2 to " + WorkerEnv.MAX_CHECKPOINT_PARITY)
            .setting(
                    "checkpoint-parity",
                    "0",
                    "Nodes of a group that protects local states by parity instead of copies, 2 to 16: any one of them"
                            + " can be lost, for the memory of 1/(N-1) of a state on each. 0: copies. The same for all"
                            + " nodes.")
            .must(
                    nodes -> nodes == 0 || (nodes >= 2 && nodes <= WorkerEnv.MAX_CHECKPOINT_PARITY),
                    "0, or 2 to " + WorkerEnv.MAX_CHECKPOINT_PARITY)
            .toWorkers(WorkerEnv.CHECKPOINT_PARITY, String::valueOf);

    /** Too low: the loss of the only node that works loses the state. Too high: standbys fetch what nobody needs. */
    public static final Setting<Integer> CHECKPOINT_REPLICAS = count(
            "checkpoint-replicas",
            "2",
            1,
            "On how many nodes a checkpoint is, as far as there are nodes: where fewer work, nodes without a rank"
                    + " keep a copy.");

    public static final Setting<StateLoss> ON_STATE_LOSS = choice(StateLoss.class)
            .setting(
                    "on-state-loss",
                    "restart",
                    "What happens when no worker has the state that the run had: it starts again, or ends as"
                            + " failed.")
            .toWorkers(WorkerEnv.ON_STATE_LOSS, StateLoss::text);

    // Times; dev.elasticrun.agent.launch.TimeoutHierarchy has what must hold among them.
    /** Too low: pauses evict healthy nodes. Too high: a loss that cannot be proved stalls the run for this time. */
    public static final Setting<Duration> LEASE_TTL =
            TIME.setting("lease-ttl", "3s", "How long a silent node stays a member; at least 2s.");
    /** Too low: more work for the store than it is worth. Too high: one lost renewal more costs the lease. */
    public static final Setting<Duration> HEARTBEAT_INTERVAL = TIME.setting(
            "heartbeat-interval", "How often the lease is renewed, at most a third of it. Default: a sixth of it.");

    public static final Setting<Duration> JOIN_TIMEOUT =
            positive(TIME.setting("join-timeout", "600s", "How long the run waits for its minimum of nodes."));
    public static final Setting<Duration> LAST_CALL_TIMEOUT = notNegative(TIME.setting(
            "last-call-timeout", "5s", "How long the first round waits for more nodes once it has the minimum."));
    public static final Setting<Duration> SCALE_UP_DELAY = notNegative(
            TIME.setting("scale-up-delay", "500ms", "How long newcomers are collected before the world grows."));
    /** Only for policies whose workers outlive rounds. Too high: a node that never returns costs that long. */
    public static final Setting<Duration> REPLACEMENT_WAIT = notNegative(TIME.setting(
            "replacement-wait",
            "0s",
            "How long survivors wait, paused, for a failed or lost node before they go on without it."));
    /** None the first time, then 1 s, 2 s, 4 s up to this. Too low: a broken node makes the others start again and again. */
    public static final Setting<Duration> REJOIN_BACK_OFF = notNegative(TIME.setting(
            "rejoin-back-off",
            "60s",
            "The longest that a node which keeps failing, more than others, waits before it may join again; 0: never"
                    + " waits."));

    public static final Setting<Duration> EXCLUDE_COOL_DOWN = notNegative(TIME.setting(
            "exclude-cool-down",
            "600s",
            "How long a node stays out that a worker excluded; the longest for one whose workers fail far more"
                    + " often than those of others."));
    public static final Setting<Duration> PAUSE_TIMEOUT =
            positive(TIME.setting("pause-timeout", "10s", "How long a worker may take to acknowledge PAUSE."));
    /**
     * Too low: workers that load are killed, again and again. Too high: the run waits this time for a worker that never
     * reports.
     */
    public static final Setting<Duration> READY_TIMEOUT = notNegative(TIME.setting(
            "ready-timeout",
            "0s",
            "How long a worker may load until it is ready for a round, under soft policies; 0: as long as"
                    + " it needs."));
    /** Too low: a slow network costs rounds. Too high: a cut link stalls the run for this time. */
    public static final Setting<Duration> PEER_TIMEOUT = TIME.setting(
                    "peer-timeout", "30s", "How long workers may receive nothing from a peer.")
            .toWorkers(WorkerEnv.PEER_TIMEOUT_MS, Settings::millis);
    /**
     * Too low: a rank that computes, or reads data, for longer than the others costs restarts. Too high: a program that
     * hangs stalls the run for this time.
     */
    public static final Setting<Duration> OPERATION_TIMEOUT = notNegative(TIME.setting(
                    "operation-timeout",
                    "1800s",
                    "How long a collective operation waits for a peer that lives but never calls; 0: for ever."))
            .toWorkers(WorkerEnv.OPERATION_TIMEOUT_MS, Settings::millis);
    /**
     * Ten times the longest that the worker took before if that is more. Too low: what a program does for the first time and
     * without a section is taken for a hang.
     */
    public static final Setting<Duration> HANG_TIMEOUT = TIME.setting(
                    "hang-timeout",
                    "300s",
                    "The least time without progress that is a hang, of a worker that reports its progress; 0:"
                            + " none is.")
            .must(time -> time.isZero() || time.compareTo(Duration.ofSeconds(1)) >= 0, "0s, or at least 1s");
    /**
     * Twice the longest that the worker stayed before if that is more, and twice all that if its library still has its event
     * loop thread. Too low: a worker that computes for the first time is taken for one that hangs.
     */
    public static final Setting<Duration> STRAGGLER_TIMEOUT = notNegative(TIME.setting(
            "straggler-timeout",
            "3s",
            "How long a worker may wait in another library for peers of a round that is over, at least;"
                    + " 0: for ever."));

    /** Too low: a round goes back although a node has its checkpoint. Too high: nobody works meanwhile. */
    public static final Setting<Duration> STATE_WAIT = notNegative(TIME.setting(
            "state-wait",
            "10s",
            "How long a round waits for a node that has a newer checkpoint than all of its nodes, before it"
                    + " goes back."));

    public static final Setting<Duration> STORE_TIMEOUT =
            TIME.setting("store-timeout", "60s", "How long the store may be away before the agent gives up.");
    public static final Setting<Duration> FIRST_CONTACT_TIMEOUT = positive(
            TIME.setting("first-contact-timeout", "10s", "How long the store may take to answer for the first time."));
    public static final Setting<Duration> SHUTDOWN_TIMEOUT = notNegative(
            TIME.setting("shutdown-timeout", "30s", "Grace between TERM and KILL, shared by all workers of the node.")
                    .asInTorchrun());
    /** Settings that belong together. */
    public record Group(String title, List<Setting<?>> settings) {}
    /** All, in the order of the help text. */
    public static final List<Group> GROUPS = List.of(
            new Group(
                    "Size and restarts",
                    List.of(
                            NNODES,
                            NPROC_PER_NODE,
                            SPARE_WORKERS,
                            RESTART_POLICY,
                            POLICY_PATH,
                            MAX_RESTARTS,
                            RESTART_REFUND)),
            new Group(
                    "Where nodes meet",
                    List.of(
                            RUN_ID,
                            ONCE,
                            RDZV_BACKEND,
                            RDZV_ENDPOINT,
                            STANDALONE,
                            ENGINE,
                            RUN_KEY_FILE,
                            NODE_RANK,
                            LOCAL_ADDR,
                            BIND_ADDR,
                            PORT_RANGE)),
            new Group(
                    "Encryption",
                    List.of(
                            TLS,
                            INSECURE,
                            TLS_CERT,
                            TLS_KEY,
                            TLS_CA,
                            ETCD_CA,
                            ETCD_CERT,
                            ETCD_KEY,
                            ETCD_USER,
                            ETCD_PASSWORD_FILE,
                            STORE_OPEN_READS)),
            new Group(
                    "Workers",
                    List.of(
                            JAVA,
                            JAVA_OPTS,
                            CLASS_PATH,
                            MAIN_CLASS,
                            CLASS_DATA,
                            MODULE,
                            NO_PYTHON,
                            ENV,
                            RUNTIME,
                            VIRTUAL_LOCAL_RANK,
                            ROLE)),
            new Group("Supervision", List.of(DRAIN_SIGNAL, NO_RETRY_EXIT_CODES, NO_PROGRESS_LIMIT, BIND_TO)),
            new Group(
                    "Logs",
                    List.of(
                            LOG_DIR,
                            LOG_LEVEL,
                            LOG_FORMAT,
                            NO_CONSOLE,
                            TEE,
                            REDIRECTS,
                            LOG_PREFIX,
                            LOCAL_RANKS_FILTER,
                            DUPLICATE_STDOUT_FILTERS,
                            DUPLICATE_STDERR_FILTERS,
                            LOG_MAX_SIZE,
                            LOG_MAX_FILES)),
            new Group("Watching the run", List.of(DASHBOARD_PORT, METRICS_PORT, OTLP_ENDPOINT)),
            new Group(
                    "Checkpoints",
                    List.of(
                            CHECKPOINT_DIR,
                            CHECKPOINT_EVERY,
                            CHECKPOINT_REPLICAS,
                            LOCAL_REPLICAS,
                            CHECKPOINT_PARITY,
                            ON_STATE_LOSS)),
            new Group(
                    "Times (500ms, 5s, 2m, 1h; a plain number is seconds)",
                    List.of(
                            LEASE_TTL,
                            HEARTBEAT_INTERVAL,
                            JOIN_TIMEOUT,
                            LAST_CALL_TIMEOUT,
                            SCALE_UP_DELAY,
                            REPLACEMENT_WAIT,
                            REJOIN_BACK_OFF,
                            EXCLUDE_COOL_DOWN,
                            PAUSE_TIMEOUT,
                            READY_TIMEOUT,
                            PEER_TIMEOUT,
                            OPERATION_TIMEOUT,
                            HANG_TIMEOUT,
                            STRAGGLER_TIMEOUT,
                            STATE_WAIT,
                            STORE_TIMEOUT,
                            FIRST_CONTACT_TIMEOUT,
                            SHUTDOWN_TIMEOUT)));

    private static final List<Setting<?>> ALL = GROUPS.stream()
            .<Setting<?>>flatMap(group -> group.settings().stream())
            .toList();

    private Settings() {}

    public static List<Setting<?>> all() {
        return ALL;
    }

    private static Setting<Integer> count(String name, String fallback, int least, String help) {
        String expected = least + " or more";
        return number(expected).setting(name, fallback, help).must(count -> count >= least, expected);
    }

    private static Setting<Duration> positive(Setting<Duration> time) {
        return time.must(value -> value.compareTo(Duration.ZERO) > 0, "more than 0s");
    }

    private static Setting<Duration> notNegative(Setting<Duration> time) {
        return time.must(value -> !value.isNegative(), "0s or more");
    }

    private static String millis(Duration time) {
        return Long.toString(time.toMillis());
    }
}
