/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.control.CheckpointFetch;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.rules.CopyRules;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.worker.contract.CheckpointFiles;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Fetches the checkpoint files of another node's agent, each time on a thread {@code state-copy} of its own. A transfer that takes
 * longer than the limit is given up.
 */
final class CopyTransfer implements CheckpointCopies.Transfer {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final EventLoop loop;
    private final String nodeId;
    private final CheckpointFiles files;
    private final Optional<RunTls> tls;

    CopyTransfer(EventLoop loop, String nodeId, CheckpointFiles files, Optional<RunTls> tls) {
        this.loop = loop;
        this.nodeId = nodeId;
        this.files = files;
        this.tls = tls;
    }

    @Override
    public void begin(CopyRules.Source source, RunIdentity run, Consumer<CheckpointCopies.Result> done) {
        Daemons.start(
                "state-copy",
                () -> {
                    CheckpointCopies.Result result = fetch(source, run);
                    loop.execute(() -> done.accept(result));
                },
                why -> loop.execute(() -> done.accept(nothing(why))));
    }

    private CheckpointCopies.Result fetch(CopyRules.Source source, RunIdentity run) {
        NodeSpec holder = source.holder().spec();
        try {
            CheckpointFetch.Result fetched = CheckpointFetch.from(
                    new Neighbour(holder.nodeId(), holder.address(), holder.controlPort()),
                    run.runKey(),
                    tls,
                    run.incarnation(),
                    files,
                    source.keeper() ? nodeId : "",
                    LIMIT);
            return new CheckpointCopies.Result(
                    fetched.files() == 0 ? Optional.empty() : files.newest(run.incarnation()),
                    fetched.since(),
                    fetched.bytes(),
                    null);
        } catch (IOException e) {
            return nothing(String.valueOf(e.getMessage()));
        }
    }

    private static CheckpointCopies.Result nothing(String why) {
        return new CheckpointCopies.Result(Optional.empty(), 0, 0, why);
    }
}
