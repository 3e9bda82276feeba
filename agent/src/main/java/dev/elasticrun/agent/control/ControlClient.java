/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.proto.ControlGrpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Calls one agent, and proves with every call to know the run's key. Connects with the first call. Safe for use by any
 * thread.
 */
public final class ControlClient implements AutoCloseable {
    private final ManagedChannel channel;
    private final RunKeyCredentials credentials;

    /**
     * @param control HOST:PORT of the agent
     * @param key of the run
     * @param tls by what the agent is known and knows the caller; empty = in plain text
     */
    public ControlClient(String control, byte[] key, Optional<RunTls> tls) {
        int colon = control.lastIndexOf(':');
        this.channel = NettyChannelBuilder.forAddress(
                        control.substring(0, colon),
                        Integer.parseInt(control.substring(colon + 1)),
                        tls.map(RunTls::client).orElseGet(InsecureChannelCredentials::create))
                .intercept(new TlsExplainer(tls.isPresent()))
                .directExecutor()
                .build();
        this.credentials = new RunKeyCredentials(channel, key);
    }

    /** Calls that block until the reply is there, at most for so long; then they throw {@code StatusRuntimeException}. */
    public ControlGrpc.ControlBlockingStub blocking(Duration deadline) {
        return ControlGrpc.newBlockingStub(channel)
                .withCallCredentials(credentials)
                .withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Calls whose replies come on a thread of the channel; without a deadline. */
    public ControlGrpc.ControlStub async() {
        return ControlGrpc.newStub(channel).withCallCredentials(credentials);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
