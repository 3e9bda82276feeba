/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreReplacedException;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renewals, all on one stream that is opened when needed and again after an error.
 *
 * <p>The server answers a stream in order. A renewal that ran out of time ends the stream: its late answer must not be
 * taken for the answer to a later renewal, or the owner would believe in a lease that is already over.
 */
final class LeaseRenewals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewals.class);

    private static final String CLOSED = "etcd lease renewal failed: the store was closed";

    private final EtcdConnection connection;
    private final StoreIdentity identity;
    private final Duration deadline;
    private final SynchronizationContext context = new SynchronizationContext(
            (thread, thrown) -> LOG.error("lease renewal failed in an unforeseen way", thrown));

    // Owned by the context.
    private @Nullable Stream stream;

    LeaseRenewals(EtcdConnection connection, StoreIdentity identity, Duration deadline) {
        this.connection = connection;
        this.identity = identity;
        this.deadline = deadline;
    }

    CompletableFuture<Boolean> renew(long leaseId) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        context.execute(() -> send(leaseId, result));
        return result;
    }

    @Override
    public void close() {
        context.execute(() -> {
            Stream open = stream;
            if (open != null) {
                open.end(Status.CANCELLED.withDescription("the store was closed"), 0);
            }
        });
    }

    private void send(long leaseId, CompletableFuture<Boolean> result) {
        StoreException replaced = identity.replaced();
        if (replaced != null) {
            result.completeExceptionally(replaced);
            return;
        }
        if (connection.isClosed()) {
            result.completeExceptionally(new StoreException(CLOSED, null));
            return;
        }
        EtcdConnection.Link link = connection.link();
        Stream open = stream;
        if (open == null || open.link.number() != link.number()) {
            if (open != null) {
                open.end(Status.UNAVAILABLE.withDescription("the connection was replaced"), 0);
            }
            open = new Stream(link);
            stream = open;
            LeaseGrpc.newStub(link.streams()).leaseKeepAlive(open);
        }
        open.send(leaseId, result);
    }

    private record Pending(long leaseId, long sentNanos, CompletableFuture<Boolean> result, Future<?> timeout) {}

    private final class Stream implements ClientResponseObserver<LeaseKeepAliveRequest, LeaseKeepAliveResponse> {
        private final EtcdConnection.Link link;
        private final Deque<Pending> pending = new ArrayDeque<>();
        private @Nullable ClientCallStreamObserver<LeaseKeepAliveRequest> requests;

        Stream(EtcdConnection.Link link) {
            this.link = link;
        }

        void send(long leaseId, CompletableFuture<Boolean> result) {
            Status late = Status.DEADLINE_EXCEEDED.withDescription("no answer");
            Future<?> timeout;
            try {
                timeout =
                        connection.schedule(() -> context.execute(() -> end(late, pending.size())), deadline.toNanos());
            } catch (RejectedExecutionException e) {
                result.completeExceptionally(new StoreException(CLOSED, e));
                return;
            }
            pending.add(new Pending(leaseId, System.nanoTime(), result, timeout));
            ClientCallStreamObserver<LeaseKeepAliveRequest> open = requests;
            if (open != null) {
                open.onNext(LeaseKeepAliveRequest.newBuilder().setID(leaseId).build());
            }
        }

        /**
         * Fails all that is under way; the next renewal opens another stream.
         *
         * @param failedCalls the number of failed calls that this counts as for the connection
         */
        void end(Status status, int failedCalls) {
            if (stream == this) {
                stream = null;
            }
            ClientCallStreamObserver<LeaseKeepAliveRequest> open = requests;
            if (open == null) {
                return;
            }
            requests = null;
            open.cancel("ended", null);
            List<Pending> failed = new ArrayList<>(pending);
            pending.clear();
            for (int i = 0; i < Math.min(failedCalls, failed.size()); i++) {
                connection.failed(link);
            }
            for (Pending renewal : failed) {
                renewal.timeout.cancel(false);
                String what = "renewal of lease " + Long.toHexString(renewal.leaseId);
                long elapsedNanos = System.nanoTime() - renewal.sentNanos;
                renewal.result.completeExceptionally(EtcdCalls.failure(
                        EtcdCalls.describe(what, link.endpoint(), elapsedNanos, status), status.getCause()));
            }
        }

        private void answered(LeaseKeepAliveResponse answer) {
            Pending first = pending.peek();
            if (requests == null || first == null || first.leaseId != answer.getID()) {
                end(Status.INTERNAL.withDescription("unexpected answer for lease " + answer.getID()), 1);
                return;
            }
            pending.remove();
            first.timeout.cancel(false);
            connection.succeeded(link);
            try {
                identity.check(answer.getHeader(), link.endpoint());
                first.result.complete(answer.getTTL() > 0);
            } catch (StoreReplacedException e) {
                first.result.completeExceptionally(e);
            }
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<LeaseKeepAliveRequest> started) {
            requests = started;
        }

        @Override
        public void onNext(LeaseKeepAliveResponse answer) {
            context.execute(() -> answered(answer));
        }

        @Override
        public void onError(Throwable cause) {
            Status status = Status.fromThrowable(cause);
            context.execute(() -> end(status, EtcdCalls.isOutage(status) ? 1 : 0));
        }

        @Override
        public void onCompleted() {
            context.execute(() -> end(Status.UNAVAILABLE.withDescription("the server ended the stream"), 1));
        }
    }
}
