/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.internal.net.MismatchNotice;
import dev.elasticrun.worker.internal.net.PeerMesh;
import dev.elasticrun.worker.internal.net.RanksDifferException;
import java.util.Map;
import java.util.TreeMap;

/** Notifies all ranks that they have run apart, and collects from the two that differ where their programs are. */
final class MismatchInquiry {
    private static final long MAX_WAIT_MILLIS = 1000;

    private final PeerMesh mesh;

    MismatchInquiry(PeerMesh mesh) {
        this.mesh = mesh;
    }

    /** Returns the exception for this rank's program, which is at {@code mine}. */
    CollectiveMismatchException run(CollectiveMismatchException seen, String mine) {
        MismatchNotice notice = RanksDifferException.noticeOf(seen);
        mesh.abort(notice.from(mine));
        Map<Integer, String> sites = new TreeMap<>();
        sites.put(mesh.rank(), mine);
        if (!notice.site().isEmpty()) {
            sites.put(notice.sender(), notice.site());
        }
        ask(sites, notice.rank());
        ask(sites, notice.other());
        StringBuilder text = new StringBuilder();
        sites.forEach((rank, site) ->
                text.append("; rank ").append(rank).append(" at ").append(site));
        return new CollectiveMismatchException(notice.what() + text);
    }

    private void ask(Map<Integer, String> sites, int rank) {
        if (rank >= 0 && rank < mesh.size() && !sites.containsKey(rank)) {
            String site = mesh.awaitNotice(rank, MAX_WAIT_MILLIS)
                    .map(MismatchNotice::site)
                    .orElse("");
            sites.put(rank, site.isEmpty() ? "a place that it did not report within a second" : site);
        }
    }
}
