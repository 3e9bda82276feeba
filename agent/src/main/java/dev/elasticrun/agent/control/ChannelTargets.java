/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import io.grpc.ChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Where agents are called. */
final class ChannelTargets {
    private ChannelTargets() {}

    /** A numeric address is used without the name resolver, which would cost a thread and milliseconds. */
    static NettyChannelBuilder builder(String host, int port, ChannelCredentials credentials) {
        byte[] number = NetUtil.createByteArrayFromIpAddressString(host);
        if (number == null) {
            return NettyChannelBuilder.forAddress(host, port, credentials);
        }
        try {
            return NettyChannelBuilder.forAddress(
                    new InetSocketAddress(InetAddress.getByAddress(number), port), credentials);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(host + ": neither 4 nor 16 bytes", e);
        }
    }
}
