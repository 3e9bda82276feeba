/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.internal.bootstrap.BootstrapAgreement;
import dev.elasticrun.worker.internal.bootstrap.BootstrapIndex;
import dev.elasticrun.worker.internal.bootstrap.BootstrapResult;
import dev.elasticrun.worker.internal.bootstrap.BootstrapTable;
import dev.elasticrun.worker.internal.net.LinkInput;
import dev.elasticrun.worker.internal.net.LinkOutput;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Brings the results of bootstrap operations that any rank of a round has to all of its ranks. */
final class BootstrapUnion {
    private final PeerMesh mesh;
    private final BootstrapTable table;

    BootstrapUnion(PeerMesh mesh, BootstrapTable table) {
        this.mesh = mesh;
        this.table = table;
    }

    /** @param ranks which results each rank has */
    void run(List<BootstrapIndex> ranks) throws BrokenLinkException {
        BootstrapAgreement agreement = BootstrapAgreement.of(ranks);
        agreement.conflict().ifPresent(this::refuse);
        for (BootstrapAgreement.Service service : agreement.services()) {
            if (service.source() == mesh.rank()) {
                send(service);
            } else if (service.destination() == mesh.rank()) {
                receive(service);
            }
        }
    }

    private void send(BootstrapAgreement.Service service) throws BrokenLinkException {
        LinkOutput link = new LinkOutput(mesh.link(service.destination()));
        DataOutputStream out = new DataOutputStream(link);
        try {
            for (long key : service.keys()) {
                table.find(key).orElseThrow().write(out);
            }
            link.finish();
        } catch (BrokenLinkException e) {
            throw e;
        } catch (IOException e) {
            throw new BrokenLinkException(service.destination(), e);
        }
    }

    private void receive(BootstrapAgreement.Service service) throws BrokenLinkException {
        DataInputStream in = new DataInputStream(new LinkInput(mesh.link(service.source())));
        try {
            for (long key : service.keys()) {
                BootstrapResult result = BootstrapResult.read(in);
                if (result.key() != key) {
                    throw BrokenLinkException.malformed(service.source(), "sent the bootstrap result " + result.name());
                }
                table.put(result);
            }
        } catch (BrokenLinkException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw BrokenLinkException.malformed(service.source(), "a bootstrap result arrived damaged: " + e);
        }
    }

    private void refuse(BootstrapAgreement.Conflict conflict) {
        Optional<BootstrapResult> mine = table.find(conflict.key());
        String what = mine.map(
                        result -> result.name() + " (" + result.operation().describe() + " at " + result.site() + ")")
                .orElse("with the digest " + Long.toHexString(conflict.key()));
        throw new CollectiveMismatchException("ranks " + conflict.rank() + " and " + conflict.other()
                + " have different results of the bootstrap operation " + what
                + " (expected: the same on all ranks; give operations that differ keys that differ)");
    }
}
