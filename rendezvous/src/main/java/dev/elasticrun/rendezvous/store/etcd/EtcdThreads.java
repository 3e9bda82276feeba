/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** Daemon threads that serve the connections of one store, or of many in one process. */
public final class EtcdThreads implements AutoCloseable {
    private final EventLoopGroup group;

    public EtcdThreads(int count) {
        group = new MultiThreadIoEventLoopGroup(
                count, new DefaultThreadFactory("etcd-client", true), NioIoHandler.newFactory());
    }

    EventLoopGroup group() {
        return group;
    }

    /** Close the stores first: a call whose thread has ended is never answered. */
    @Override
    public void close() {
        group.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
    }
}
