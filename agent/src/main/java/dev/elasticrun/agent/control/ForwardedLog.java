/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.LogsReply;
import dev.elasticrun.proto.LogsRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;

/** Asks the agent that has a worker for the end of its log. */
public final class ForwardedLog {
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private ForwardedLog() {}

    /** Blocks, two seconds at most. */
    public static String end(Neighbour owner, byte[] runKey, Optional<RunTls> tls, int slot, boolean stderr)
            throws IOException {
        try (ControlClient client =
                new ControlClient(owner.address() + ":" + owner.controlPort(), owner.nodeId(), runKey, tls)) {
            Iterator<LogsReply> parts = client.blocking(DEADLINE)
                    .logs(LogsRequest.newBuilder()
                            .addSlots(slot)
                            .setEndOnly(true)
                            .build());
            StringBuilder text = new StringBuilder();
            while (parts.hasNext()) {
                LogsReply part = parts.next();
                if (part.getStderr() == stderr) {
                    text.append(part.getText().toStringUtf8());
                }
            }
            return text.toString();
        } catch (StatusRuntimeException e) {
            throw new IOException("node " + owner.nodeId() + " did not answer: " + e.getStatus(), e);
        }
    }
}
