/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.cli.client.RunContact;
import dev.elasticrun.proto.StatusReply;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the agents that run on this host, at addresses that this process reaches. One thread. */
public final class LocalStatus implements StatusSource {
    private final String runId;
    private @Nullable RunContact contact;

    public LocalStatus(String runId) {
        this.runId = runId;
    }

    @Override
    public Optional<StatusReply> ask() {
        try {
            if (contact == null) {
                List<LocalRuns.LocalRun> agents = LocalRuns.find(runId);
                if (agents.isEmpty()) {
                    return Optional.empty();
                }
                contact = RunContact.of(agents);
            }
            return Optional.of(contact.status());
        } catch (RunContact.SilentException | UncheckedIOException allGone) {
            // Others may have come.
            close();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        if (contact != null) {
            contact.close();
            contact = null;
        }
    }
}
