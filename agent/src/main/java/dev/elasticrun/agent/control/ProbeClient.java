/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import com.google.protobuf.ByteString;
import dev.elasticrun.agent.liveness.RunKeyProof;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.ClockRequest;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.ProbeGrpc;
import dev.elasticrun.proto.TransferReply;
import dev.elasticrun.proto.TransferRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Measures the way to one {@link ProbeServer}. Its calls block, and throw {@link ProbeFailedException}. */
public final class ProbeClient implements AutoCloseable {
    /** Transfers that take longer are ended, and measured by what came until then. */
    private static final Duration TRANSFER_DEADLINE = Duration.ofSeconds(5);

    private final String nodeId;
    private final byte[] key;
    private final Duration deadline;
    private final ControlClient control;
    private final SecureRandom random = new SecureRandom();

    /**
     * @param place HOST:PORT of the other process
     * @param nodeId whose process it must be
     * @param key that both know
     * @param tls by what both know each other; empty = in plain text
     * @param deadline of each call that should take a moment only
     */
    public ProbeClient(String place, String nodeId, byte[] key, Optional<RunTls> tls, Duration deadline) {
        this.nodeId = nodeId;
        this.key = key.clone();
        this.deadline = deadline;
        this.control = new ControlClient(place, nodeId, key, tls);
    }

    /** The other process did not answer as it should; the message states why. */
    public static final class ProbeFailedException extends Exception {
        private static final long serialVersionUID = 1;

        ProbeFailedException(Status status) {
            super(
                    status.getDescription() == null
                            ? status.getCode().toString()
                            : status.getCode() + ": " + status.getDescription());
        }
    }

    /** What a transfer took. */
    public record Transfer(long bytes, long nanos) {}

    /**
     * How far the clock of the other process is ahead of that of this one.
     *
     * @param millis negative = it is behind
     * @param uncertaintyMillis by how much that may be wrong
     */
    public record ClockOffset(long millis, long uncertaintyMillis) {}

    /** The nanoseconds of a call and its reply, in which the other process proves that it knows the key. */
    public long roundTrip() throws ProbeFailedException {
        ByteString nonce = RunKeyProof.nonce(random);
        long startNanos = System.nanoTime();
        ChallengeReply reply;
        try {
            reply = ControlGrpc.newBlockingStub(control.plain())
                    .withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS)
                    .challenge(ChallengeRequest.newBuilder().setNonce(nonce).build());
        } catch (StatusRuntimeException e) {
            throw new ProbeFailedException(e.getStatus());
        }
        long nanos = System.nanoTime() - startNanos;
        if (!RunKeyProof.isGreeting(key, nonce, reply)) {
            throw new ProbeFailedException(
                    Status.UNAUTHENTICATED.withDescription("the process there and this one have different run keys"));
        } else if (!nodeId.equals(reply.getNodeId())) {
            throw new ProbeFailedException(Status.UNAVAILABLE.withDescription(
                    "node " + reply.getNodeId() + " is there (expected: node " + nodeId + ")"));
        }
        return nanos;
    }

    /** Receives bytes from the other process, after it was proved to it that this one knows the key. */
    public Transfer receive(long bytes) throws ProbeFailedException {
        Iterator<TransferReply> replies = ProbeGrpc.newBlockingStub(control.proven())
                .withDeadlineAfter(TRANSFER_DEADLINE.toNanos(), TimeUnit.NANOSECONDS)
                .transfer(TransferRequest.newBuilder().setBytes(bytes).build());
        long received = 0;
        long startNanos = 0;
        try {
            while (replies.hasNext()) {
                int size = replies.next().getContent().size();
                if (startNanos == 0) {
                    // The first one came after the proofs: what is measured begins behind it.
                    startNanos = System.nanoTime();
                } else {
                    received += size;
                }
            }
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.DEADLINE_EXCEEDED || received == 0) {
                throw new ProbeFailedException(e.getStatus());
            }
        }
        return new Transfer(received, Math.max(System.nanoTime() - startNanos, 1));
    }

    /** By one call: the moment of the answer is taken for the middle of it. */
    public ClockOffset clockOffset(Clock clock) throws ProbeFailedException {
        long startMillis = clock.millis();
        long startNanos = System.nanoTime();
        try {
            long there = ProbeGrpc.newBlockingStub(control.proven())
                    .withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS)
                    .clock(ClockRequest.getDefaultInstance())
                    .getUnixMillis();
            long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
            return new ClockOffset(there - startMillis - tookMillis / 2, tookMillis / 2 + 1);
        } catch (StatusRuntimeException e) {
            throw new ProbeFailedException(e.getStatus());
        }
    }

    @Override
    public void close() {
        control.close();
    }
}
