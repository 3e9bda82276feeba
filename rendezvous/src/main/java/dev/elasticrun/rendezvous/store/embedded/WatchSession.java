/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's stream with its watches. What the client does not take in time waits here within bounds, its own and that of
 * all streams; beyond them the stream is cancelled, and the client lists and watches again. Owned by the server's thread.
 */
final class WatchSession implements Consumer<List<Change>> {
    private static final Logger LOG = LoggerFactory.getLogger(WatchSession.class);

    /** Twice the history that is kept: a client may always catch up from the oldest revision. */
    static final int MAX_WAITING = 10_000;

    static final long MAX_WAITING_BYTES = 64L << 20;
    private static final int MAX_BATCH_EVENTS = 1_000;
    private static final long MAX_BATCH_BYTES = 1 << 20;
    private static final long NO_WATCH = -1;

    private final EtcdState state;
    private final ServerCallStreamObserver<WatchResponse> observer;
    private final WatchBacklog backlog;
    private final Map<Long, Watcher> watchers = new LinkedHashMap<>();
    private final Queue<WatchResponse> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long nextId;
    private boolean ended;

    WatchSession(EtcdState state, ServerCallStreamObserver<WatchResponse> observer, WatchBacklog backlog) {
        this.state = state;
        this.observer = observer;
        this.backlog = backlog;
        backlog.enter(this);
        observer.setOnReadyHandler(this::drain);
        observer.setOnCancelHandler(this::close);
        state.addListener(this);
    }

    void create(WatchCreateRequest request) {
        long next = state.map().revision() + 1;
        long fromRevision = request.getStartRevision() == 0 ? next : request.getStartRevision();
        if (RevisionedMap.isEmptyRange(request.getKey(), request.getRangeEnd())) {
            send(response(NO_WATCH).setCreated(true).setCanceled(true));
            return;
        }
        Watcher watcher = Watcher.of(nextId++, request, fromRevision);
        send(response(watcher.id()).setCreated(true));
        if (fromRevision < state.map().oldestRevision()) {
            send(response(watcher.id())
                    .setCanceled(true)
                    .setCompactRevision(state.map().oldestRevision())
                    .setCancelReason("mvcc: required revision has been compacted"));
            return;
        }
        catchUp(watcher);
        watchers.put(watcher.id(), watcher);
    }

    void cancel(long id) {
        if (watchers.remove(id) != null) {
            send(response(id).setCanceled(true));
        }
    }

    void progress() {
        send(response(NO_WATCH));
    }

    /** New changes of one revision. */
    @Override
    public void accept(List<Change> changes) {
        for (Watcher watcher : List.copyOf(watchers.values())) {
            List<Event> events = watcher.events(changes);
            if (!events.isEmpty()) {
                send(response(watcher.id()).addAllEvents(events));
            }
        }
    }

    void close() {
        ended = true;
        state.removeListener(this);
        watchers.clear();
        waiting.clear();
        backlog.grow(-waitingBytes);
        waitingBytes = 0;
        backlog.leave(this);
    }

    void complete() {
        if (!ended) {
            close();
            observer.onCompleted();
        }
    }

    // All events of a revision are in one response: a client may resume from the revision after the last it saw.
    private void catchUp(Watcher watcher) {
        List<Event> batch = new ArrayList<>();
        long bytes = 0;
        for (List<Change> changes : state.map().changesFrom(watcher.fromRevision())) {
            for (Event event : watcher.events(changes)) {
                batch.add(event);
                bytes += event.getSerializedSize();
            }
            if (batch.size() >= MAX_BATCH_EVENTS || bytes >= MAX_BATCH_BYTES) {
                send(response(watcher.id()).addAllEvents(batch));
                batch.clear();
                bytes = 0;
            }
        }
        if (!batch.isEmpty()) {
            send(response(watcher.id()).addAllEvents(batch));
        }
    }

    private WatchResponse.Builder response(long id) {
        return WatchResponse.newBuilder().setHeader(state.header()).setWatchId(id);
    }

    private void send(WatchResponse.Builder builder) {
        if (ended) {
            return;
        }
        WatchResponse response = builder.build();
        waiting.add(response);
        grow(response.getSerializedSize());
        drain();
        if (waiting.size() > MAX_WAITING || waitingBytes > MAX_WAITING_BYTES) {
            giveUp();
        }
        backlog.keepBound();
    }

    private void grow(long by) {
        waitingBytes += by;
        backlog.grow(by);
    }

    long waitingBytes() {
        return waitingBytes;
    }

    /** The client is too slow. */
    void giveUp() {
        String held = waiting.size() + " responses, " + waitingBytes + " bytes waiting";
        LOG.warn("watch stream cancelled: its client is too slow, {}", held);
        close();
        observer.onError(Status.RESOURCE_EXHAUSTED
                .withDescription("watcher too slow: " + held)
                .asRuntimeException());
    }

    private void drain() {
        while (!ended && observer.isReady()) {
            WatchResponse response = waiting.poll();
            if (response == null) {
                return;
            }
            grow(-response.getSerializedSize());
            observer.onNext(response);
        }
    }
}
