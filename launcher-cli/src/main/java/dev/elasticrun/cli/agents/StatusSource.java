/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

import dev.elasticrun.proto.StatusReply;
import java.util.Optional;

/** Answers of the agents of one run about it. One thread calls it. */
public interface StatusSource extends AutoCloseable {
    /** What an agent answers now; blocks for some seconds at most. Empty when none answers. */
    Optional<StatusReply> ask();

    @Override
    void close();
}
