/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.torchrun.TorchrunFlag;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of torchrun, and what they stand for. */
final class TorchrunLinesTest {
    /** Every flag of torchrun but --help, by its variable. */
    private static final List<String> VARIABLES = List.of(
            "PET_DUPLICATE_STDERR_FILTERS",
            "PET_DUPLICATE_STDOUT_FILTERS",
            "PET_EVENT_LOG_HANDLER",
            "PET_EXIT_BARRIER_TIMEOUT",
            "PET_LOCAL_ADDR",
            "PET_LOCAL_RANKS_FILTER",
            "PET_LOGS_SPECS",
            "PET_LOG_DIR",
            "PET_MASTER_ADDR",
            "PET_MASTER_PORT",
            "PET_MAX_RESTARTS",
            "PET_MODULE",
            "PET_MONITOR_INTERVAL",
            "PET_NNODES",
            "PET_NODE_RANK",
            "PET_NO_PYTHON",
            "PET_NPROC_PER_NODE",
            "PET_NUMA_BINDING",
            "PET_RDZV_BACKEND",
            "PET_RDZV_CONF",
            "PET_RDZV_ENDPOINT",
            "PET_RDZV_ID",
            "PET_REDIRECTS",
            "PET_ROLE",
            "PET_RUN_PATH",
            "PET_SHUTDOWN_TIMEOUT",
            "PET_SIGNALS_TO_HANDLE",
            "PET_STANDALONE",
            "PET_START_METHOD",
            "PET_TEE",
            "PET_VIRTUAL_LOCAL_RANK");

    @Test
    void variables_allOfTorchruns_areRead() {
        Stream<String> settings = Settings.all().stream()
                .map(Setting::variables)
                .flatMap(List::stream)
                .filter(name -> name.startsWith("PET_"));
        Stream<String> flags = Arrays.stream(TorchrunFlag.values())
                .filter(flag -> flag != TorchrunFlag.USE_ENV)
                .map(TorchrunFlag::variable);

        assertThat(new TreeSet<>(Stream.concat(settings, flags).toList())).containsExactlyElementsOf(VARIABLES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "-r 3 -t 0:1 -m x => --module --tee=0:1 --redirects=3 x",
                "--no_python --virtual_local_rank x => --no-python --virtual-local-rank x",
                "--rdzv_conf join_timeout=60,last_call_timeout=1.5 x => --join-timeout=60s --last-call-timeout=1500ms x",
                "--rdzv-conf timeout=60 x => --join-timeout=60s x",
                "--rdzv-conf timeout=60,join_timeout=7 x => --join-timeout=7s x",
                "--rdzv-conf keep_alive_interval=2 x => --lease-ttl=6s --heartbeat-interval=2s x",
                "--rdzv-conf keep_alive_max_attempt=2 x => --lease-ttl=10s x",
                "--rdzv-conf rank=3,read_timeout=9 x => --node-rank=3 --first-contact-timeout=9s x",
                "--rdzv-conf ca_cert=c,ssl_cert=d,ssl_cert_key=e,protocol=https x"
                        + " => --etcd-ca=c --etcd-cert=d --etcd-key=e x",
                "--join-timeout 5 --rdzv-conf join_timeout=60 x => --join-timeout=5 x",
                "--numa-binding node x => --bind-to=numa x",
                "--numa-binding exclusive x => --bind-to=core x",
                "--signals-to-handle SIGTERM,SIGUSR1,USR2 x => --drain-signal=USR1,USR2 x",
                "--nnodes 1 --rdzv-backend c10d --rdzv-endpoint localhost:0 x"
                        + " => --nnodes=1 --rdzv-backend=embedded x",
                "--nnodes 2 --rdzv-backend c10d --rdzv-endpoint a --rdzv-id j x"
                        + " => --nnodes=2 --run-id=j --rdzv-backend=embedded --rdzv-endpoint=a:29400 x",
                "--nnodes 2 --rdzv-backend c10d --rdzv-endpoint a:5 x"
                        + " => --nnodes=2 --run-id=torchrun-5 --rdzv-backend=embedded --rdzv-endpoint=a:5 x",
                "--nnodes 2 --rdzv-backend c10d --rdzv-endpoint [::1] x"
                        + " => --nnodes=2 --run-id=torchrun-29400 --rdzv-backend=embedded --rdzv-endpoint=[::1]:29400 x",
                "--rdzv-backend etcd-v2 --rdzv-endpoint a:5 x => --rdzv-backend=etcd --rdzv-endpoint=a:5 x",
                "--rdzv-backend static --master-port 5 x => --rdzv-backend=embedded x",
                "--nnodes 3 --node-rank 1 --master-addr h --master-port 7 x"
                        + " => --nnodes=3 --run-id=torchrun-7 --rdzv-backend=embedded --rdzv-endpoint=h:7 --node-rank=1 x",
                "--nnodes 3 --master-addr ::1 x => --nnodes=3 --run-id=torchrun-29500 --rdzv-backend=embedded"
                        + " --rdzv-endpoint=[::1]:29500 --node-rank=0 x",
                "--nnodes 2 --node-rank 1 x => --nnodes=2 --run-id=torchrun-29500 --rdzv-backend=embedded"
                        + " --rdzv-endpoint=127.0.0.1:29500 --node-rank=1 x",
                "--standalone --master-port 7 x => --standalone x",
                "--nnodes 2:4 --rdzv-endpoint etcd:2379 --rdzv-id j x"
                        + " => --nnodes=2:4 --run-id=j --rdzv-endpoint=etcd:2379 x",
            })
    void flags_standForSettings(String line, String expected) {
        assertThat(String.join(" ", migrated(line, Map.of()).arguments())).isEqualTo(expected);
    }

    /** As PyTorch's documentation has them, and projects that users take as examples. */
    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "--standalone --nnodes=1 --nproc-per-node=2 t.py --lr 1 => --nnodes=1 --nproc-per-node=2 --standalone t.py --lr 1",
                "--nnodes=2 --nproc-per-node=8 --max-restarts=3 --rdzv-id=j1 --rdzv-backend=c10d"
                        + " --rdzv-endpoint=node1.example.com:29400 t.py"
                        + " => --nnodes=2 --nproc-per-node=8 --max-restarts=3 --run-id=j1 --rdzv-backend=embedded"
                        + " --rdzv-endpoint=node1.example.com:29400 t.py",
                "--nnodes=1:4 --nproc-per-node=8 --max-restarts=3 --rdzv-id=j1 --rdzv-backend=c10d"
                        + " --rdzv-endpoint=node1.example.com t.py"
                        + " => --nnodes=1:4 --nproc-per-node=8 --max-restarts=3 --run-id=j1 --rdzv-backend=embedded"
                        + " --rdzv-endpoint=node1.example.com:29400 t.py",
                "--nproc_per_node=8 --nnodes=2 --node_rank=0 --master_addr=10.0.0.1 --master_port=1234 train.py"
                        + " => --nnodes=2 --nproc-per-node=8 --run-id=torchrun-1234 --rdzv-backend=embedded"
                        + " --rdzv-endpoint=10.0.0.1:1234 --node-rank=0 train.py",
                "--nproc_per_node=8 train.py --model resnet50 => --nproc-per-node=8 train.py --model resnet50",
                "--nproc_per_node=8 --rdzv_backend c10d --rdzv_endpoint=localhost:0 --local-ranks-filter 0 --role rank"
                        + " --tee 3 -m titan.train --job.config_file c.toml"
                        + " => --nproc-per-node=8 --rdzv-backend=embedded"
                        + " --module --role=rank --tee=3 --local-ranks-filter=0 titan.train --job.config_file c.toml",
                "--use-env --nproc_per_node=4 t.py => --nproc-per-node=4 t.py",
            })
    void lines_ofOthers_areUnderstood(String line, String expected) {
        assertThat(String.join(" ", migrated(line, Map.of()).arguments())).isEqualTo(expected);
        String runnable = line.replaceFirst("\\S*t(rain)?\\.py|titan\\.train", "/bin/true");
        assertThat(LaunchOptions.parse(words(runnable), Map.of()).config()).isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "--monitor-interval 5 x => --monitor-interval: no effect, the end of a worker is noticed at once",
                "--start_method fork x => --start-method: no effect, each worker is a process of its own",
                "--event-log-handler null x => --event-log-handler: no effect, events are in events.jsonl of the log directory",
                "--logs-specs mine x => --logs-specs: no effect, --log-dir, --tee, --redirects and --log-prefix state where output goes",
                "--run-path x => --run-path: no effect, each worker is a process of the interpreter",
                "--exit-barrier-timeout 5 x => --exit-barrier-timeout: no effect, no node waits for others when its workers are done",
                "--use-env x => --use-env: no effect, local ranks are always in the environment",
                "--rdzv-conf close_timeout=9 x => --rdzv-conf close_timeout: no effect, a run is closed with its last round",
                "--rdzv-conf a=b x => --rdzv-conf a: no effect, no such key is known here, nor to most backends of torchrun",
                "--rdzv-endpoint a:1 --master-addr h x => --master-addr: no effect, only --rdzv-backend static has one",
                "--signals-to-handle SIGQUIT x => --signals-to-handle SIGQUIT: no effect, the JVM prints the stacks of its threads then",
            })
    void noEffect_isStatedWithTheReason(String line, String expected) {
        assertThat(migrated(line, Map.of()).remarks()).contains(expected);
        assertThat(LaunchOptions.parse(words("--standalone " + line.replace(" x", " /bin/true")), Map.of())
                        .noEffect())
                .contains(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "--rdzv-conf a x => --rdzv-conf: a (expected: KEY=VALUE pairs separated by ',')",
                "--rdzv-conf join_timeout=soon x => --rdzv-conf: join_timeout=soon (expected: join_timeout as a number of seconds)",
                "--rdzv-conf join_timeout=0 x => --rdzv-conf: 0s (expected: more than 0s)",
                "--numa-binding all x => --numa-binding: all (expected: node, socket, exclusive or core-complex)",
                "--nnodes 2 --rdzv-backend c10d x"
                        + " => --rdzv-endpoint: not given (expected: HOST[:PORT] of the node that serves the store, with --rdzv-backend c10d)",
                "--nnodes 2 --rdzv-backend c10d --rdzv-endpoint a:0 x"
                        + " => --rdzv-endpoint: a:0 (expected: a port that all nodes know, with several nodes)",
                "--nnodes 2:3 --rdzv-backend static x => --nnodes: 2:3 (expected: one number with --rdzv-backend static)",
                "--nnodes 2 --master-port 99999 x => --master-port: 99999 (expected: a port, 1 to 65535)",
                "--nnodes 2 => PROGRAM: missing (expected: what the torchrun line runs)",
            })
    void wrong_isNamed(String line, String expected) {
        UsageException error = catchThrowableOfType(UsageException.class, () -> {
            migrated(line, Map.of());
            LaunchOptions.parse(words(line.replace(" x", " /bin/true")), Map.of());
        });

        assertThat(error).isNotNull();
        assertThat(error.violations()).contains(expected);
    }

    @Test
    void variables_standForSettings_unlessAFlagOrAnOwnVariableDoes() {
        Map<String, String> environment = Map.of(
                "PET_RDZV_CONF", "join_timeout=60,last_call_timeout=2",
                "ELASTICRUN_JOIN_TIMEOUT", "7s",
                "PET_NUMA_BINDING", "node",
                "PET_MONITOR_INTERVAL", "5",
                "PET_RUN_PATH", "0");

        LaunchOptions.Migrated migrated = migrated("--bind-to none x", environment);

        assertThat(migrated.arguments())
                .containsExactly("--bind-to=none", "--join-timeout=7s", "--last-call-timeout=2s", "x");
        assertThat(migrated.remarks())
                .contains("PET_MONITOR_INTERVAL: no effect, the end of a worker is noticed at once")
                .noneMatch(remark -> remark.contains("run-path"));
    }

    @Test
    void variables_ofAnEngine_areBeatenByFlags() {
        Map<String, String> environment = Map.of(
                "PET_NNODES", "4",
                "PET_NPROC_PER_NODE", "2",
                "PET_NODE_RANK", "3",
                "PET_MASTER_ADDR", "job-node-0-0.job",
                "PET_MASTER_PORT", "29500");

        assertThat(migrated("--nnodes 2:4 --rdzv-endpoint etcd:2379 --rdzv-id j x", environment)
                        .arguments())
                .containsExactly(
                        "--nnodes=2:4",
                        "--nproc-per-node=2",
                        "--run-id=j",
                        "--rdzv-endpoint=etcd:2379",
                        "--node-rank=3",
                        "x");
        assertThat(migrated("x", environment).arguments())
                .containsExactly(
                        "--nnodes=4",
                        "--nproc-per-node=2",
                        "--run-id=torchrun-29500",
                        "--rdzv-backend=embedded",
                        "--rdzv-endpoint=job-node-0-0.job:29500",
                        "--node-rank=3",
                        "x");
    }

    private static LaunchOptions.Migrated migrated(String line, Map<String, String> environment) {
        return LaunchOptions.migrate(words(line), environment);
    }

    private static List<String> words(String line) {
        return List.of(line.strip().split(" +"));
    }
}
