/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.StoreReplacedException;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream with the watches that were started on it; it ends with the last of them. The server numbers them when it
 * creates them, in the order in which they were asked for. All is owned by the context, but for what gRPC calls.
 */
final class WatchStream implements ClientResponseObserver<WatchRequest, WatchResponse> {
    private final EtcdConnection.Link link;
    private final StoreIdentity identity;
    private final SynchronizationContext context;
    private final Consumer<EtcdWatch> onGone;
    private final Queue<EtcdWatch> asked = new ArrayDeque<>();
    private final Map<Long, EtcdWatch> created = new HashMap<>();
    /** Null before the start, and after the end. */
    private @Nullable ClientCallStreamObserver<WatchRequest> requests;

    /** @param onGone called in the context for each watch that gets no more events */
    WatchStream(
            EtcdConnection.Link link,
            StoreIdentity identity,
            SynchronizationContext context,
            Consumer<EtcdWatch> onGone) {
        this.link = link;
        this.identity = identity;
        this.context = context;
        this.onGone = onGone;
    }

    EtcdConnection.Link link() {
        return link;
    }

    boolean ended() {
        return requests == null;
    }

    void add(EtcdWatch watch, WatchRequest request) {
        ClientCallStreamObserver<WatchRequest> open = requests;
        if (open == null) {
            onGone.accept(watch);
            watch.fail(link.endpoint(), Status.UNAVAILABLE.withDescription("the stream has ended"), null);
            return;
        }
        asked.add(watch);
        open.onNext(request);
    }

    /** One that was only asked for keeps its turn: the server's answer to it will come. */
    void remove(EtcdWatch watch) {
        for (Map.Entry<Long, EtcdWatch> entry : created.entrySet()) {
            if (entry.getValue() == watch) {
                created.remove(entry.getKey());
                onGone.accept(watch);
                cancel(entry.getKey());
                break;
            }
        }
        endUnlessNeeded();
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> started) {
        requests = started;
    }

    @Override
    public void onNext(WatchResponse response) {
        context.execute(() -> answered(response));
    }

    @Override
    public void onError(Throwable cause) {
        Status status = Status.fromThrowable(cause);
        context.execute(() -> end().forEach(watch -> watch.fail(link.endpoint(), status, cause)));
    }

    @Override
    public void onCompleted() {
        Status status = Status.UNAVAILABLE.withDescription("the server ended the stream");
        context.execute(() -> end().forEach(watch -> watch.fail(link.endpoint(), status, null)));
    }

    private void answered(WatchResponse response) {
        if (requests == null) {
            return;
        }
        try {
            identity.check(response.getHeader(), link.endpoint());
        } catch (StoreReplacedException e) {
            requests.cancel("another store", null);
            end().forEach(watch -> watch.fail(e));
            return;
        }
        EtcdWatch watch = response.getCreated() ? asked.poll() : created.get(response.getWatchId());
        if (watch == null) {
            return;
        }
        if (response.getCanceled()) {
            cancelled(watch, response);
        } else if (!response.getCreated()) {
            watch.receive(response);
        } else if (watch.ended()) {
            onGone.accept(watch);
            cancel(response.getWatchId());
        } else {
            created.put(response.getWatchId(), watch);
        }
    }

    private void cancelled(EtcdWatch watch, WatchResponse response) {
        String reason = response.getCompactRevision() > 0
                ? "the revision was compacted away, the oldest is " + response.getCompactRevision()
                : response.getCancelReason();
        created.remove(response.getWatchId());
        onGone.accept(watch);
        watch.fail(link.endpoint(), Status.ABORTED.withDescription(reason), null);
        endUnlessNeeded();
    }

    private void cancel(long watchId) {
        ClientCallStreamObserver<WatchRequest> open = requests;
        if (open == null) {
            return;
        }
        try {
            open.onNext(WatchRequest.newBuilder()
                    .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(watchId))
                    .build());
        } catch (RejectedExecutionException closed) {
            // So is the connection, and the stream with it.
        }
    }

    private void endUnlessNeeded() {
        ClientCallStreamObserver<WatchRequest> open = requests;
        if (open != null && created.isEmpty() && asked.stream().allMatch(EtcdWatch::ended)) {
            open.cancel("closed by its owner", null);
            end();
        }
    }

    /** The watches that it had. */
    private List<EtcdWatch> end() {
        requests = null;
        List<EtcdWatch> left = new ArrayList<>(created.values());
        left.addAll(asked);
        created.clear();
        asked.clear();
        left.forEach(onGone);
        return left;
    }
}
