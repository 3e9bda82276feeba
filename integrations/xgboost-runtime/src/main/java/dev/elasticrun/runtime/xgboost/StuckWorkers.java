/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers that may wait in native code for a neighbour that will never connect: XGBoost accepts it without a time limit.
 * A connection that ends at once frees such a worker with an error; others do not listen any more and do not notice.
 */
final class StuckWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(StuckWorkers.class);
    private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private StuckWorkers() {}

    /** Dials all of them at once, and hangs up, in a thread of its own that ends after half a second at the latest. */
    static void poke(Collection<InetSocketAddress> addresses) {
        List<InetSocketAddress> all = List.copyOf(addresses);
        if (!all.isEmpty()) {
            Thread thread = new Thread(() -> dialAll(all), "xgboost-poke");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void dialAll(List<InetSocketAddress> addresses) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        try (Selector selector = Selector.open()) {
            for (InetSocketAddress address : addresses) {
                dial(selector, address);
            }
            long left = deadline - System.nanoTime();
            while (!selector.keys().isEmpty() && left > 0) {
                selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
                for (SelectionKey key : selector.selectedKeys()) {
                    finish((SocketChannel) key.channel());
                }
                selector.selectedKeys().clear();
                selector.selectNow();
                left = deadline - System.nanoTime();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            LOG.warn("cannot free workers that may be stuck", e);
        }
    }

    private static void dial(Selector selector, InetSocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        try {
            if (channel.connect(address)) {
                channel.close();
            } else {
                channel.register(selector, SelectionKey.OP_CONNECT);
            }
        } catch (IOException refused) {
            channel.close();
        }
    }

    private static void finish(SocketChannel channel) throws IOException {
        try (channel) {
            channel.finishConnect();
        } catch (IOException refused) {
            // It does not listen any more: it is not stuck.
        }
    }
}
