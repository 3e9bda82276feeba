/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreReplacedException;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One watch of a {@link WatchStream}: passes its events on until it is closed or has failed. */
final class EtcdWatch implements Watch {
    private final String what;
    private final WatchListener listener;
    private final Consumer<EtcdWatch> onClose;
    private final long startNanos = System.nanoTime();
    private volatile boolean ended;

    /** @param onClose called by the thread that closes the watch */
    EtcdWatch(KeyRange range, WatchListener listener, Consumer<EtcdWatch> onClose) {
        this.what = "watch of " + range.from();
        this.listener = listener;
        this.onClose = onClose;
    }

    @Override
    public void close() {
        ended = true;
        onClose.accept(this);
    }

    boolean ended() {
        return ended;
    }

    void receive(WatchResponse response) {
        if (!ended && response.getEventsCount() > 0) {
            listener.onEvents(
                    response.getHeader().getRevision(),
                    response.getEventsList().stream().map(EtcdMessages::event).toList());
        }
    }

    void fail(String endpoint, Status status, @Nullable Throwable cause) {
        String message = EtcdCalls.describe(what, endpoint, System.nanoTime() - startNanos, status);
        fail(EtcdCalls.failure(message, cause));
    }

    /** Another store answered. */
    void fail(StoreReplacedException replaced) {
        fail((StoreException) replaced);
    }

    private void fail(StoreException failure) {
        if (!ended) {
            ended = true;
            listener.onFailed(failure);
        }
    }
}
