/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.CheckpointsReply;
import dev.elasticrun.proto.CheckpointsRequest;
import dev.elasticrun.worker.contract.CheckpointFiles;
import dev.elasticrun.worker.contract.CheckpointId;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fetches the checkpoint files of another node from its agent. */
public final class CheckpointFetch {
    private CheckpointFetch() {}

    /**
     * What came.
     *
     * @param files whole ones; 0 = the holder has nothing newer
     * @param since the newest round in which the run lost all its state, according to the holder; 0 = none, or nothing came
     */
    public record Result(int files, long bytes, long since) {}

    /**
     * Fetches all files that are newer than the newest one here. Blocks, up to the limit. A file that is not whole when the
     * call ends leaves nothing behind; those that are whole stay.
     *
     * @param keeper this node, if it is to count as one that keeps copies; empty = it fetches once
     * @throws IOException when the holder does not answer, and when a file cannot be written here
     */
    public static Result from(
            Neighbour holder,
            byte[] runKey,
            Optional<RunTls> tls,
            String incarnation,
            CheckpointFiles into,
            String keeper,
            Duration limit)
            throws IOException {
        CheckpointsRequest.Builder request =
                CheckpointsRequest.newBuilder().setIncarnation(incarnation).setKeeper(keeper);
        into.newest(incarnation).ifPresent(known -> fill(request, known));
        try (ControlClient client =
                        new ControlClient(holder.address() + ":" + holder.controlPort(), holder.nodeId(), runKey, tls);
                Arriving arriving = new Arriving(into)) {
            Iterator<CheckpointsReply> parts = client.blocking(limit).checkpoints(request.build());
            while (parts.hasNext()) {
                arriving.add(parts.next());
            }
            arriving.complete();
            // Contents that the newest files do not refer to any more.
            into.newest(incarnation).ifPresent(newest -> into.removeContents(newest.version() - 1));
            return new Result(arriving.files, arriving.bytes, arriving.since);
        } catch (StatusRuntimeException e) {
            throw new IOException("node " + holder.nodeId() + " did not send its checkpoint: " + e.getStatus(), e);
        } catch (OutOfMemoryError noThread) {
            throw new IOException("node " + holder.nodeId() + " cannot be asked: " + noThread.getMessage(), noThread);
        }
    }

    private static void fill(CheckpointsRequest.Builder request, CheckpointId known) {
        request.setWorld(known.world()).setVersion(known.version()).setDigest(known.digest());
    }

    /** The files of a call, one after the other. */
    private static final class Arriving implements AutoCloseable {
        private final CheckpointFiles into;
        private CheckpointFiles.@Nullable Incoming current;
        private int files;
        private long bytes;
        private long since;

        Arriving(CheckpointFiles into) {
            this.into = into;
        }

        void add(CheckpointsReply part) throws IOException {
            if (!part.getName().isEmpty()) {
                complete();
                since = Math.max(since, part.getSince());
                current = into.receive(part.getName(), part.getLength());
            }
            CheckpointFiles.Incoming open = current;
            if (open == null) {
                throw new IOException("a part of a checkpoint without a file");
            }
            open.write(part.getData().asReadOnlyByteBuffer());
            bytes += part.getData().size();
        }

        void complete() throws IOException {
            CheckpointFiles.Incoming open = current;
            if (open != null) {
                files += open.complete() ? 1 : 0;
                close();
            }
        }

        @Override
        public void close() throws IOException {
            CheckpointFiles.Incoming open = current;
            current = null;
            if (open != null) {
                open.close();
            }
        }
    }
}
