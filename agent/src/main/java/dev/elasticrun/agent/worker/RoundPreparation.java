/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.context.RuntimeFailedException;
import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.store.HmacSha256;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this node's workers get from the run's runtime, round by round. Called by the agent's loop. */
public final class RoundPreparation {
    private static final Logger LOG = LoggerFactory.getLogger(RoundPreparation.class);

    private static final String DIRECTORY = "runtime";

    private final String name;
    private final FrameworkRuntime runtime;
    private final String nodeId;
    private final Ports ports;
    private final Path directory;
    private PreparedRound prepared = PreparedRound.EMPTY;
    private Map<Integer, Map<String, String>> values = Map.of();
    private long number;

    /**
     * @param name as the runtime was chosen
     * @param runDirectory in which a directory for the runtime is made
     */
    public RoundPreparation(String name, FrameworkRuntime runtime, String nodeId, Ports ports, Path runDirectory) {
        this.name = name;
        this.runtime = runtime;
        this.nodeId = nodeId;
        this.ports = ports;
        this.directory = runDirectory.resolve(DIRECTORY);
        try {
            // While there is room for it.
            Files.createDirectories(directory);
        } catch (IOException e) {
            LOG.debug("cannot make {} yet", directory, e);
        }
    }

    /**
     * Prepares a round that workers are about to receive; one that is prepared already stays as it is.
     *
     * @param run that the round is of
     * @throws RuntimeFailedException when the runtime cannot, and could not at another port either, if that was its
     *     choice
     */
    void prepare(Round round, RunIdentity run) throws RuntimeFailedException {
        if (round.number() == number) {
            return;
        }
        end();
        try {
            open(round, run);
        } catch (IOException | RuntimeException e) {
            end();
            throw new RuntimeFailedException(name, e);
        }
    }

    private void open(Round round, RunIdentity run) throws IOException {
        RuntimeRound.Node own = view(round.participant(nodeId).orElseThrow());
        try {
            prepared = runtime.open(view(round, run));
        } catch (IOException e) {
            if (own.firstRank() == 0 || !runtime.servesMasterEndpoint()) {
                throw e;
            }
            LOG.warn("round={} runtime {} failed, and is given another port", round.number(), name, e);
            prepared = runtime.open(view(round, run));
        }
        Map<Integer, Map<String, String>> byRank = new HashMap<>();
        for (int rank = own.firstRank(); rank < own.firstRank() + own.slots(); rank++) {
            byRank.put(rank, prepared.values(rank));
        }
        values = byRank;
        number = round.number();
    }

    /** The values that a worker of this node receives in the prepared round. */
    Map<String, String> values(int rank) {
        return values.getOrDefault(rank, Map.of());
    }

    /** Records the newest round that is known to this node: those before it are over, and itself if it is suspended. */
    public void on(@Nullable Round newest) {
        if (newest != null && (number < newest.number() || (number == newest.number() && newest.suspended()))) {
            end();
        }
    }

    private void end() {
        try {
            prepared.close();
        } catch (RuntimeException e) {
            LOG.warn("round={} runtime {} could not end it", number, name, e);
        }
        prepared = PreparedRound.EMPTY;
        values = Map.of();
        number = 0;
    }

    /** The agent ends, and its loop has. */
    public void close() {
        end();
        try {
            runtime.close();
        } catch (RuntimeException e) {
            LOG.warn("runtime {} could not end", name, e);
        }
    }

    private RuntimeRound view(Round round, RunIdentity run) throws IOException {
        List<RuntimeRound.Node> nodes =
                round.participants().stream().map(RoundPreparation::view).toList();
        RuntimeRound.Node own = view(round.participant(nodeId).orElseThrow());
        if (own.firstRank() == 0 && runtime.freesMasterEndpoint()) {
            ports.release(round.master().port());
        }
        return new RuntimeRound(
                round.number(),
                nodes,
                own,
                new RuntimeRound.Master(
                        round.master().address(),
                        round.master().port(),
                        runtime.servesMasterEndpoint() ? door(own, round) : null),
                Files.createDirectories(directory),
                secret(run, name, round.number()));
    }

    private @Nullable ServerSocketChannel door(RuntimeRound.Node own, Round round) throws IOException {
        return own.firstRank() == 0 ? ports.take(round.master().port()).orElse(null) : ports.listen();
    }

    private static RuntimeRound.Node view(Participant participant) {
        return new RuntimeRound.Node(
                participant.nodeId(), participant.spec().address(), participant.firstRank(), participant.size());
    }

    // What follows from the run key for one runtime and one round, so that a runtime need not know the key itself.
    private static byte[] secret(RunIdentity run, String runtime, long round) {
        // None of them can hold a line feed.
        String text = String.join("\n", "runtime", run.runId(), run.incarnation(), runtime, Long.toString(round));
        return HmacSha256.of(run.runKey(), text.getBytes(StandardCharsets.UTF_8));
    }
}
