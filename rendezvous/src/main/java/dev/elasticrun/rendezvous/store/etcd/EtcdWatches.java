/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import io.etcd.jetcd.api.WatchGrpc;
import io.grpc.SynchronizationContext;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watches of one store, which share a stream. A watch that is closed may have been deaf, and its stream with it: from
 * then on that stream takes no new ones.
 */
final class EtcdWatches {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdWatches.class);

    private final EtcdConnection connection;
    private final StoreIdentity identity;
    private final SynchronizationContext context =
            new SynchronizationContext((thread, thrown) -> LOG.error("a watch failed in an unforeseen way", thrown));

    // Owned by the context.
    private final Map<EtcdWatch, WatchStream> streams = new HashMap<>();
    private @Nullable WatchStream newest;

    EtcdWatches(EtcdConnection connection, StoreIdentity identity) {
        this.connection = connection;
        this.identity = identity;
    }

    /** The listener is called by one thread at a time. */
    Watch watch(KeyRange range, long fromRevision, WatchListener listener) {
        EtcdWatch watch = new EtcdWatch(range, listener, closed -> context.execute(() -> remove(closed)));
        context.execute(() -> {
            WatchStream shared = stream();
            streams.put(watch, shared);
            shared.add(watch, EtcdMessages.watch(range, fromRevision));
        });
        return watch;
    }

    private WatchStream stream() {
        EtcdConnection.Link link = connection.link();
        WatchStream open = newest;
        if (open == null || open.ended() || open.link().number() != link.number()) {
            open = new WatchStream(link, identity, context, streams::remove);
            newest = open;
            WatchGrpc.newStub(link.streams()).watch(open);
        }
        return open;
    }

    private void remove(EtcdWatch closed) {
        WatchStream stream = streams.get(closed);
        if (stream != null) {
            if (newest == stream) {
                newest = null;
            }
            stream.remove(closed);
        }
    }
}
