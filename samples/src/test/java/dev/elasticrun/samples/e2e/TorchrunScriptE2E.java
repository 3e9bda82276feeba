/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Flags of torchrun and a Python script that knows only what torchrun gives it. Needs a Python interpreter on the PATH. */
@Tag("once")
@Timeout(120)
final class TorchrunScriptE2E {
    private static final String SCRIPT = """
            import json, os, socket, sys

            env = os.environ
            rank, world = int(env["RANK"]), int(env["WORLD_SIZE"])
            place = (env["MASTER_ADDR"], int(env["MASTER_PORT"]))
            restart = env["TORCHELASTIC_RESTART_COUNT"]

            def fail():
                error = {"message": "ValueError: no data for rank %d" % rank,
                         "extraInfo": {"py_callstack": "Traceback: line 7", "timestamp": "1700000000"}}
                with open(env["TORCHELASTIC_ERROR_FILE"], "w") as file:
                    json.dump({"message": error}, file)
                sys.exit(1)

            if "always" in sys.argv or (restart == "0" and rank == world - 1):
                fail()
            if rank == 0:
                with socket.create_server(place) as server:
                    peers = [server.accept()[0] for _ in range(world - 1)]
                    numbers = sorted(int(peer.makefile().readline()) for peer in peers)
                    print("rank 0 of", world, "received", numbers, "restart", restart, flush=True)
                    for peer in peers:
                        peer.sendall(b"go\\n")
            else:
                while True:
                    try:
                        peer = socket.create_connection(place)
                        break
                    except ConnectionRefusedError:
                        pass
                peer.sendall(b"%d\\n" % rank)
                peer.makefile().readline()
            print("node", env["GROUP_RANK"], "rank", rank, "argument", sys.argv[1], "store",
                  env["TORCHELASTIC_USE_AGENT_STORE"], "threads", env["OMP_NUM_THREADS"], flush=True)
            """;

    @RegisterExtension
    final TestRun run = new TestRun();

    private Path script;

    @BeforeEach
    void writeScript() throws IOException {
        script = Files.writeString(run.directory().resolve("train.py"), SCRIPT);
    }

    @Test
    void staticWorld_rankFailsOnce_isFormedAgainInTheOrderOfTheNodeRanks() throws IOException {
        int port = FreePort.find();
        AgentProcess second = agent(port, 1);
        AgentProcess first = agent(port, 0);

        assertThat(first.exitCode(TestRun.LIMIT)).as(first::console).isZero();
        assertThat(second.exitCode(TestRun.LIMIT)).as(second::console).isZero();

        assertThat(first.output())
                .contains(
                        "rank 0 of 4 received [1, 2, 3] restart 1",
                        "node 0 rank 0 argument --local=0 store False threads 1",
                        "node 0 rank 1 argument --local=1",
                        "--monitor-interval: no effect");
        assertThat(second.output())
                .contains("node 1 rank 2 argument --local=0", "node 1 rank 3 argument --local=1")
                .contains("ValueError: no data for rank 3");
    }

    private AgentProcess agent(int port, int nodeRank) {
        return run.agent(
                List.of(
                        "--nnodes=2",
                        "--nproc_per_node=2",
                        "--node_rank=" + nodeRank,
                        "--master_addr=127.0.0.1",
                        "--master_port=" + port,
                        "--max_restarts=1",
                        "--monitor-interval=5",
                        "-t",
                        "3"),
                List.of(script.toString(), "--local=${local_rank}"));
    }

    @Test
    void error_recordedByTheProgram_isTheRootCause() {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--nproc_per_node=2", "--max_restarts=0", "--run-id", run.id()),
                List.of(script.toString(), "always"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(1);
        assertThat(agent.output()).contains("ValueError: no data for rank ", "Traceback: line 7");
        assertThat(agent.await(RunEvent.WorkerFailed.class).found().message()).contains("ValueError");
    }
}
