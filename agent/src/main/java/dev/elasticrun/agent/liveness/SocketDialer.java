/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Probes whether an address accepts connections, on few threads of its own. Safe for use by any thread. */
public final class SocketDialer implements Dialer, AutoCloseable {
    private static final int THREADS = 4;
    private static final int LOOPBACK_MILLIS = 1000;

    private final Duration timeout;
    private final ThreadPoolExecutor executor;

    /** @param timeout for one attempt; shorter than the system's own */
    public SocketDialer(String threadName, Duration timeout) {
        this.timeout = timeout;
        this.executor = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named(threadName));
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * The future completes on a thread of this dialer, or at once where none can be made; never exceptionally, and not at
     * all once it is closed.
     */
    @Override
    public CompletableFuture<DialAnswer> dial(String host, int port) {
        CompletableFuture<DialAnswer> answer = new CompletableFuture<>();
        try {
            executor.execute(() -> answer.complete(ask(host, port)));
        } catch (RejectedExecutionException closed) {
            // The agent ends and does not need an answer.
        } catch (OutOfMemoryError e) {
            // Threads are used up, for example by a worker that makes processes: that proves nothing about the expected
            // process.
            answer.complete(new DialAnswer(DialAnswer.Kind.SILENT, host + ":" + port + ": " + e.getMessage()));
        }
        return answer;
    }

    // A name may have several addresses: one that answers is enough, and refused means refused by all of them.
    private DialAnswer ask(String host, int port) {
        DialAnswer worst = new DialAnswer(DialAnswer.Kind.SILENT, host + ":" + port + ": no address");
        boolean refusedByAll = true;
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                DialAnswer answer = ask(new InetSocketAddress(address, port));
                if (answer.kind() == DialAnswer.Kind.ANSWERED) {
                    return answer;
                }
                refusedByAll &= answer.kind() == DialAnswer.Kind.REFUSED;
                worst = answer;
            }
        } catch (IOException e) {
            return new DialAnswer(DialAnswer.Kind.SILENT, host + ":" + port + ": " + e);
        }
        return refusedByAll ? worst : new DialAnswer(DialAnswer.Kind.SILENT, worst.detail());
    }

    private DialAnswer ask(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, (int) timeout.toMillis());
            return new DialAnswer(DialAnswer.Kind.ANSWERED, "");
        } catch (ConnectException e) {
            // Also thrown for a time-out of the system's own, no route, or no port left on this host.
            boolean refused = !Refusal.TEXT.isEmpty() && Refusal.TEXT.equals(e.getMessage());
            return new DialAnswer(
                    refused ? DialAnswer.Kind.REFUSED : DialAnswer.Kind.SILENT, address + ": " + e.getMessage());
        } catch (IOException e) {
            return new DialAnswer(DialAnswer.Kind.SILENT, address + ": " + e.getMessage());
        }
    }

    // The text of a refusal on this host: the only thing that distinguishes it from other failures, in the language of
    // the host.
    private static final class Refusal {
        static final String TEXT = text();

        private static String text() {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            try (Socket bound = new Socket();
                    Socket caller = new Socket()) {
                bound.bind(new InetSocketAddress(loopback, 0));
                caller.connect(new InetSocketAddress(loopback, bound.getLocalPort()), LOOPBACK_MILLIS);
                return "";
            } catch (ConnectException e) {
                return String.valueOf(e.getMessage());
            } catch (IOException e) {
                // Then nothing is taken for a refusal, and leases decide.
                return "";
            }
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
