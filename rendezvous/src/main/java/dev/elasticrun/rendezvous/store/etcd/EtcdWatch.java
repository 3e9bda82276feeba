/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreReplacedException;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import org.jspecify.annotations.Nullable;

/** One watch on one stream of its own. gRPC calls the observer by one thread at a time. */
final class EtcdWatch implements Watch, ClientResponseObserver<WatchRequest, WatchResponse> {
    private final StoreIdentity identity;
    private final String what;
    private final String endpoint;
    private final WatchListener listener;
    private final long startNanos = System.nanoTime();
    private volatile @Nullable ClientCallStreamObserver<WatchRequest> stream;
    private volatile boolean ended;

    private EtcdWatch(StoreIdentity identity, KeyRange range, String endpoint, WatchListener listener) {
        this.identity = identity;
        this.what = "watch of " + range.from();
        this.endpoint = endpoint;
        this.listener = listener;
    }

    static EtcdWatch start(
            EtcdConnection.Link link,
            StoreIdentity identity,
            KeyRange range,
            long fromRevision,
            WatchListener listener) {
        EtcdWatch watch = new EtcdWatch(identity, range, link.endpoint(), listener);
        WatchGrpc.newStub(link.streams()).watch(watch).onNext(EtcdMessages.watch(range, fromRevision));
        return watch;
    }

    @Override
    public void close() {
        ended = true;
        cancel("closed by its owner");
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> requests) {
        stream = requests;
    }

    @Override
    public void onNext(WatchResponse response) {
        if (ended) {
            return;
        }
        try {
            identity.check(response.getHeader(), endpoint);
        } catch (StoreReplacedException e) {
            ended = true;
            listener.onFailed(e);
            cancel("another store");
            return;
        }
        if (response.getCanceled()) {
            String reason = response.getCompactRevision() > 0
                    ? "the revision was compacted away, the oldest is " + response.getCompactRevision()
                    : response.getCancelReason();
            fail(Status.ABORTED.withDescription(reason), null);
            cancel("cancelled by the server");
        } else if (response.getEventsCount() > 0) {
            listener.onEvents(
                    response.getHeader().getRevision(),
                    response.getEventsList().stream().map(EtcdMessages::event).toList());
        }
    }

    @Override
    public void onError(Throwable cause) {
        fail(Status.fromThrowable(cause), cause);
    }

    @Override
    public void onCompleted() {
        fail(Status.UNAVAILABLE.withDescription("the server ended the stream"), null);
    }

    private void fail(Status status, @Nullable Throwable cause) {
        if (!ended) {
            ended = true;
            String message = EtcdCalls.describe(what, endpoint, System.nanoTime() - startNanos, status);
            listener.onFailed(new StoreException(message, cause));
        }
    }

    private void cancel(String reason) {
        ClientCallStreamObserver<WatchRequest> requests = stream;
        if (requests != null) {
            requests.cancel(reason, null);
        }
    }
}
