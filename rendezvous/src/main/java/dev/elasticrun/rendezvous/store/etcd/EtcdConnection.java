/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one link to the cluster at a time. Two failed calls in a row replace it by a link to the next endpoint, which with
 * a single endpoint is a fresh connection to the same one: TCP alone may take minutes to notice a healed partition.
 */
final class EtcdConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdConnection.class);

    private static final int FAILURES_TO_ROTATE = 2;
    /** gRPC itself would wait up to two minutes before it dials again. */
    private static final long REDIAL_MILLIS = 250;
    /** The lowest that gRPC allows. */
    private static final long PING_SECONDS = 10;

    private static final int MAX_ANSWER_BYTES = 64 << 20;
    private static final Metadata.Key<String> HAS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    private final EtcdStoreConfig config;
    private final EtcdThreads threads;
    private final boolean ownsThreads;
    private final EventLoopGroup group;
    private final ScheduledFuture<?> redial;
    private final @Nullable LoginSession session;
    private final Object lock = new Object();

    // Written under the lock, so that a link is counted against and replaced once.
    private volatile Link link;
    private int failures;
    private boolean closed;

    EtcdConnection(EtcdStoreConfig config, EtcdThreads threads, boolean ownsThreads) {
        this.config = config;
        this.threads = threads;
        this.ownsThreads = ownsThreads;
        this.group = threads.group();
        StoreLogin login = config.login();
        this.session = login == null ? null : new LoginSession(login, config.callDeadline());
        this.link = dial(0);
        this.redial = group.scheduleWithFixedDelay(this::redial, REDIAL_MILLIS, REDIAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * One connection to one member.
     *
     * @param calls for unary calls
     * @param streams for calls that must end when the member has no leader
     */
    record Link(int number, String endpoint, ManagedChannel transport, Channel calls, Channel streams) {}

    Link link() {
        return link;
    }

    /** Runs a task later on the connection's thread; lost when the connection is closed first. */
    ScheduledFuture<?> schedule(Runnable task, long delayNanos) {
        return group.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    }

    void succeeded(Link on) {
        synchronized (lock) {
            if (on.number == link.number) {
                failures = 0;
            }
        }
    }

    void failed(Link on) {
        Link next;
        synchronized (lock) {
            if (closed || on.number != link.number || ++failures < FAILURES_TO_ROTATE) {
                return;
            }
            failures = 0;
            next = dial(on.number + 1);
            link = next;
        }
        LOG.debug("two calls in a row failed on etcd {}: using {}", on.endpoint, next.endpoint);
        on.transport.shutdownNow();
    }

    /** Whether a call that failed so is good after the next one has asked for another token. */
    boolean isStaleLogin(Status status) {
        return session != null && LoginSession.isStale(status);
    }

    boolean isEncrypted() {
        return config.tls() != null;
    }

    boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    @Override
    public void close() {
        Link last;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            last = link;
        }
        redial.cancel(false);
        last.transport.shutdownNow();
        if (ownsThreads) {
            threads.close();
        }
    }

    private void redial() {
        ManagedChannel transport = link.transport;
        if (transport.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
            transport.resetConnectBackoff();
        }
    }

    /** An address that is written in numbers needs no resolver, with its threads and its questions. */
    private static NettyChannelBuilder builder(String endpoint, ChannelCredentials credentials) {
        int colon = endpoint.lastIndexOf(':');
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(endpoint.substring(0, colon));
        return literal == null
                ? NettyChannelBuilder.forTarget("dns:///" + endpoint, credentials)
                : NettyChannelBuilder.forAddress(
                        new InetSocketAddress(literal, Integer.parseInt(endpoint.substring(colon + 1))), credentials);
    }

    private Link dial(int number) {
        String endpoint = config.endpoints().get(number % config.endpoints().size());
        ChannelCredentials tls = config.tls();
        ChannelCredentials credentials = tls == null ? InsecureChannelCredentials.create() : tls;
        int connectMillis = (int) Math.min(config.callDeadline().toMillis() + 1, 10_000);
        ManagedChannel transport = builder(endpoint, credentials)
                .eventLoopGroup(group)
                .channelType(NioSocketChannel.class)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis)
                .directExecutor()
                .disableRetry()
                .maxInboundMessageSize(MAX_ANSWER_BYTES)
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PING_SECONDS / 2, TimeUnit.SECONDS)
                .idleTimeout(30, TimeUnit.DAYS)
                .build();
        Metadata hasLeader = new Metadata();
        hasLeader.put(HAS_LEADER, "true");
        LoginSession known = session;
        Channel calls = known == null ? transport : ClientInterceptors.intercept(transport, known.over(transport));
        Channel streams = ClientInterceptors.intercept(calls, MetadataUtils.newAttachHeadersInterceptor(hasLeader));
        return new Link(number, endpoint, transport, calls, streams);
    }
}
