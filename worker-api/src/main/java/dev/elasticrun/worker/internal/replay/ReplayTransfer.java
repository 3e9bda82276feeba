/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.replay;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import dev.elasticrun.worker.internal.faults.FaultPoints;
import dev.elasticrun.worker.internal.net.LinkInput;
import dev.elasticrun.worker.internal.net.LinkOutput;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Brings results of finished operations to the ranks that lack them, in bulk. */
public final class ReplayTransfer {
    private final PeerMesh mesh;
    private final OperationLog history;

    public ReplayTransfer(PeerMesh mesh, OperationLog history) {
        this.mesh = mesh;
        this.history = history;
    }

    public void run(ReplayAgreement agreement) throws BrokenLinkException {
        for (ReplayAgreement.Service service : agreement.services()) {
            if (service.source() == mesh.rank()) {
                send(service);
            } else if (service.destination() == mesh.rank()) {
                receive(service);
            }
        }
    }

    private void send(ReplayAgreement.Service service) throws BrokenLinkException {
        LinkOutput link = new LinkOutput(mesh.link(service.destination()));
        DataOutputStream out = new DataOutputStream(link);
        try {
            for (long seq : service.operations()) {
                FaultPoints.at(FaultInjector.Instant.SERVING, mesh.rank(), history.version(), seq);
                ReplayLog.Result result = history.log().find(seq).orElseThrow();
                ByteBuffer statement = ByteBuffer.allocate(Operation.BYTES);
                result.operation().write(statement);
                out.write(statement.array());
                out.writeInt(result.length());
                out.write(result.array(), 0, result.length());
            }
            link.finish();
        } catch (BrokenLinkException e) {
            throw e;
        } catch (IOException e) {
            throw new BrokenLinkException(service.destination(), e);
        }
    }

    private void receive(ReplayAgreement.Service service) throws BrokenLinkException {
        DataInputStream in = new DataInputStream(new LinkInput(mesh.link(service.source())));
        try {
            for (long seq : service.operations()) {
                Operation operation = Operation.read(ByteBuffer.wrap(in.readNBytes(Operation.BYTES)));
                int length = in.readInt();
                if (length < 0 || operation.seq() != seq) {
                    throw BrokenLinkException.malformed(service.source(), "sent operation " + operation.seq());
                }
                history.log().recover(operation, in.readNBytes(length));
                FaultPoints.at(FaultInjector.Instant.FETCHING, mesh.rank(), history.version(), seq);
            }
        } catch (BrokenLinkException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw BrokenLinkException.malformed(service.source(), "a result arrived damaged: " + e);
        }
    }
}
