/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ScheduledExecutorService;
import javax.net.ssl.SSLException;

/**
 * Detects callers of a server with which no TLS connection is established, or which do not begin as HTTP/2 does, within
 * TLS or without it: gRPC ends their connections without a message. A caller that sends nothing, or hangs up, is not
 * reported: a probe of a node's liveness does that.
 */
public final class HandshakeWatch {
    private static final int MAX_REASON = 300;
    // The first bytes of an HTTP/2 client: RFC 9113, section 3.4.
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private HandshakeWatch() {}

    /** Called by the threads of the server. */
    @FunctionalInterface
    public interface Listener {
        /**
         * @param protocol that was not established
         * @param from address of the caller
         * @param why what is wrong with it
         */
        void onRefused(String protocol, String from, String why);
    }

    /** Lets callers in, or ends their connections. */
    @FunctionalInterface
    public interface Gate {
        /**
         * @param timer of the thread that accepts
         * @return false if the connection was ended
         */
        boolean admit(Channel caller, ScheduledExecutorService timer);
    }

    /** Channels for a server. Their connections go through the gate first. */
    public static ChannelFactory<ServerChannel> channels(Gate gate, Listener listener) {
        return () -> {
            NioServerSocketChannel server = new NioServerSocketChannel();
            server.pipeline().addLast(new Door(gate, listener));
            return server;
        };
    }

    // Precedes the handler that accepts connections.
    private static final class Door extends ChannelInboundHandlerAdapter {
        private final Gate gate;
        private final Listener listener;

        Door(Gate gate, Listener listener) {
            this.gate = gate;
            this.listener = listener;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object caller) {
            if (!gate.admit((Channel) caller, context.executor())) {
                return;
            }
            ((Channel) caller).pipeline().addLast(new FirstWords(listener));
            context.fireChannelRead(caller);
        }
    }

    // Precedes the TLS handler, which exists when the first bytes come, if the server encrypts.
    private static final class FirstWords extends ChannelInboundHandlerAdapter {
        private final Listener listener;

        FirstWords(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            ChannelPipeline pipeline = context.pipeline();
            SslHandler tls = pipeline.get(SslHandler.class);
            if (tls == null) {
                pipeline.addAfter(context.name(), null, new Preface(listener));
            } else {
                tls.handshakeFuture().addListener(shaken -> {
                    if (shaken.cause() instanceof SSLException failure) {
                        listener.onRefused("TLS", from(context), reason(failure));
                    } else if (shaken.isSuccess()) {
                        pipeline.addAfter(pipeline.context(tls).name(), null, new Preface(listener));
                    }
                });
            }
            pipeline.remove(this);
            context.fireChannelRead(bytes);
        }
    }

    // Checks the preface of HTTP/2; it may arrive in several buffers.
    private static final class Preface extends ChannelInboundHandlerAdapter {
        private final Listener listener;
        private int matched;

        Preface(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object read) {
            if (read instanceof ByteBuf bytes) {
                boolean isOther = !goesOn(bytes);
                if (isOther) {
                    listener.onRefused("HTTP/2", from(context), "what it sent is not HTTP/2");
                }
                if (isOther || matched == PREFACE.length) {
                    context.pipeline().remove(this);
                }
            }
            context.fireChannelRead(read);
        }

        private boolean goesOn(ByteBuf bytes) {
            for (int i = bytes.readerIndex(); i < bytes.writerIndex() && matched < PREFACE.length; i++) {
                if (bytes.getByte(i) != PREFACE[matched]) {
                    return false;
                }
                matched++;
            }
            return true;
        }
    }

    private static String from(ChannelHandlerContext context) {
        return String.valueOf(context.channel().remoteAddress());
    }

    private static String reason(SSLException failure) {
        if (failure instanceof NotSslRecordException) {
            return "what it sent is not TLS";
        }
        String reason = String.valueOf(failure.getMessage());
        return reason.substring(0, Math.min(reason.length(), MAX_REASON));
    }
}
