/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import dev.elasticrun.rendezvous.store.StoreException;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store in this process that speaks a subset of etcd's v3 API: keys, transactions, leases and watches, in memory and
 * with a bounded history. Every start is another cluster with an id of its own.
 *
 * <p>One daemon thread owns all state and serves all calls. Without a secret it listens on the loopback interface only;
 * with one, each call proves to know it.
 */
public final class EmbeddedEtcdServer implements AutoCloseable {
    private static final long TICK_MILLIS = 200;
    private static final long CLOSE_MILLIS = 1_000;
    private static final int MAX_CALLS = 1024;
    private static final long PING_PERMIT_SECONDS = 5;

    private final EventLoopGroup group;
    private final Server server;
    private final String host;
    private final int port;

    private EmbeddedEtcdServer(EventLoopGroup group, Server server, String host) {
        this.group = group;
        this.server = server;
        this.host = host;
        this.port = server.getPort();
    }

    /**
     * How it listens.
     *
     * @param channels which bring callers through the gate, if they are to be limited
     * @param shared whether it may have a port that another socket is bound to, but does not listen at
     * @param refused notified of each call without a proof of the secret, by the server's thread
     */
    public record Listening(
            ChannelFactory<? extends ServerChannel> channels, ConnectionGate gate, boolean shared, Refused refused) {
        /** Refused calls are not reported. */
        public Listening(ChannelFactory<? extends ServerChannel> channels, ConnectionGate gate, boolean shared) {
            this(channels, gate, shared, (method, from) -> {});
        }
    }

    /** Receives the calls that were refused. */
    @FunctionalInterface
    public interface Refused {
        /**
         * @param method as gRPC names it
         * @param from address of the caller
         */
        void onRefused(String method, String from);
    }

    /**
     * Listens and serves.
     *
     * @param port 0 = the operating system chooses
     * @param secret of which callers prove knowledge; null: anyone may do anything
     * @throws StoreException the address cannot be used, for the reason in the message
     */
    public static EmbeddedEtcdServer start(String host, int port, @Nullable String secret) {
        return start(
                host,
                port,
                StoreAccess.of(secret),
                null,
                new Listening(NioServerSocketChannel::new, new ConnectionGate(), true));
    }

    /**
     * The same over TLS.
     *
     * @param tls what callers are shown and must show; null = plain text
     * @param listening by what
     */
    public static EmbeddedEtcdServer start(
            String host, int port, StoreAccess access, @Nullable ServerCredentials tls, Listening listening) {
        InetAddress address = resolve(host);
        if (access.secret() == null && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "host: " + host + " (expected: a loopback address, as no secret is given)");
        }
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("embedded-etcd", true), NioIoHandler.newFactory());
        EventLoop owner = group.next();
        SecureRandom random = new SecureRandom();
        EtcdState state = new EtcdState(
                random.nextLong(1, Long.MAX_VALUE),
                random.nextLong(1, Long.MAX_VALUE),
                System.nanoTime(),
                owner::inEventLoop);
        Sessions sessions = new Sessions(random);
        String shownHost = shown(host, address);
        ClusterService cluster = new ClusterService(state, (tls == null ? "http://" : "https://") + shownHost);
        Server server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(address, port), tls == null ? InsecureServerCredentials.create() : tls)
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .channelFactory(listening.channels())
                .withOption(ChannelOption.SO_REUSEADDR, listening.shared())
                .maxConcurrentCallsPerConnection(MAX_CALLS)
                .executor(owner)
                .permitKeepAliveTime(PING_PERMIT_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .intercept(new WriteAccess(access, sessions, listening.gate(), listening.refused()))
                .addService(new AuthService(state, access, sessions, random))
                .addService(new KvService(state))
                .addService(new LeaseService(state))
                .addService(new WatchService(state))
                .addService(new MaintenanceService(state))
                .addService(cluster)
                .build();
        try {
            server.start();
        } catch (IOException e) {
            group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
            throw new StoreException("cannot listen on " + host + ":" + port + ": " + reason(e), e);
        }
        cluster.listensOn(server.getPort());
        long periodNanos = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
        owner.scheduleWithFixedDelay(
                () -> state.tick(System.nanoTime(), periodNanos), periodNanos, periodNanos, TimeUnit.NANOSECONDS);
        return new EmbeddedEtcdServer(group, server, shownHost);
    }

    public int port() {
        return port;
    }

    /** {@code host:port} as a client on this host uses it. */
    public String endpoint() {
        return host + ":" + port;
    }

    /** Drops all connections and all data; waits a second at most. Does not throw. */
    @Override
    public void close() {
        server.shutdownNow();
        try {
            if (!server.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
                return;
            }
            group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).await(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
        }
    }

    private static InetAddress resolve(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new StoreException("cannot listen on " + host + ": unknown host", e);
        }
    }

    private static String shown(String host, InetAddress address) {
        if (address.isAnyLocalAddress()) {
            return "127.0.0.1";
        }
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    private static String reason(IOException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return message == null ? cause.toString() : message.toLowerCase(Locale.ROOT);
    }
}
