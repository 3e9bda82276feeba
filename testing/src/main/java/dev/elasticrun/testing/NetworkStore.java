/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.agent.RunStore;
import dev.elasticrun.cli.agents.AgentLine;
import dev.elasticrun.cli.agents.LocalStatus;
import dev.elasticrun.proto.StatusReply;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The store of a run on a {@link TestNetwork}, and questions to its agents: a process of its own, since a JVM cannot enter
 * another network. Serves until its standard input ends. {@link StoreProcess} starts it.
 */
final class NetworkStore {
    /** Asks for the status of the run. */
    static final int ASK = '?';

    private static final int ARGUMENTS = 4;

    private NetworkStore() {}

    /**
     * Writes the flags by which agents reach the store, and then for each byte that it reads the newest status of the run.
     *
     * @param arguments directory for its key, address, run id, log directory, and the line of an agent
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        List<String> words = List.of(arguments).subList(ARGUMENTS, arguments.length);
        AgentLine line = AgentLine.of(words, System.getenv(), arguments[2], Path.of(arguments[3]));
        try (RunStore store = RunStore.serve(line.config(), line.runId(), directory, arguments[1]);
                LocalStatus status = new LocalStatus(line.runId())) {
            DataOutputStream answers = new DataOutputStream(System.out);
            List<String> options = store.options();
            answers.writeInt(options.size());
            for (String option : options) {
                answers.writeUTF(option);
            }
            answers.flush();
            while (System.in.read() == ASK) {
                answer(status.ask(), answers);
            }
        }
    }

    private static void answer(Optional<StatusReply> reply, DataOutputStream answers) throws IOException {
        answers.writeBoolean(reply.isPresent());
        if (reply.isPresent()) {
            reply.get().writeDelimitedTo(answers);
        }
        answers.flush();
    }
}
