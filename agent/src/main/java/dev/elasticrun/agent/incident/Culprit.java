/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import java.util.Locale;

/** A worker or node that began an incident, or followed it. */
public sealed interface Culprit {

    /** What it did. Names in lower case are those of reports for programs, and stay. */
    enum What {
        WORKER_FAILED,
        NODE_LOST,
        NODE_LEFT,
        LEFT_OUT,
        STORE_UNREACHABLE,
        FENCED,
        DONE,
        COMMAND,
        JOINED;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The source of the evidence against a node. The lower-case names are part of the format of machine-readable
     * reports and must not change.
     */
    enum Source {
        /** Others proved it. */
        PROVED,
        /** By its lease. */
        LEASE,
        /** It was reported, or decided. */
        TOLD;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    What what();

    String node();

    /** The evidence as text. */
    String evidence();

    /** Whether it only followed from something else. */
    default boolean followed() {
        return false;
    }

    /**
     * @param rank -1 = it had none
     * @param end of its process
     */
    record FailedWorker(
            String node,
            int rank,
            RunEvent.Worker worker,
            RunEvent.WorkerEnd end,
            FailureKind how,
            String evidence,
            boolean followed)
            implements Culprit {
        @Override
        public What what() {
            return What.WORKER_FAILED;
        }
    }

    record OfNode(What what, String node, Source source, String evidence) implements Culprit {}
}
