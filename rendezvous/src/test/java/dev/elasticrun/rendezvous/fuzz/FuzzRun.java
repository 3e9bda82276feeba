/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.fuzz;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Strangers at a port of this process. {@code -Dfuzz.inputs=N} sends as many inputs, {@code -Dfuzz.tls=N} as many to a
 * port with TLS, {@code -Dfuzz.seed=N} begins with that one: input {@code i} follows from the seed plus {@code i} alone.
 * {@code -Dfuzz.minutes=N} ends it after that time.
 */
public final class FuzzRun {
    private static final int INPUTS = Integer.getInteger("fuzz.inputs", 10_000);
    /** Fewer: each may cost the listener a signature. */
    private static final int TLS_INPUTS = Integer.getInteger("fuzz.tls", 200);

    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(Integer.getInteger("fuzz.minutes", 100_000));
    private static final long SEED = Long.getLong("fuzz.seed", 1);
    public static final int WARM_UP = 300;
    private static final int CALLERS = 4;
    private static final int MANY = 100_000;
    private static final int MAX_INPUTS_OF_CALLER = 3;
    private static final int HELD = 32;
    private static final int PATIENCE_MILLIS = 100;
    private static final int HANDSHAKE_MILLIS = 10_000;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    /** Held, as its level goes with it: what gRPC logs of each stranger would take longer than the test. */
    private static final Logger LIBRARY = Logger.getLogger("io.grpc");

    private final int port;
    private final Connecting connecting;
    private final FuzzSource source;
    private final Queue<Socket> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger turnedAway = new AtomicInteger();
    private final long end = System.nanoTime() + LIMIT_NANOS;

    private FuzzRun(int port, Connecting connecting, FuzzSource source) {
        this.port = port;
        this.connecting = connecting;
        this.source = source;
    }

    /** A call as the listener is there for; it throws when that is not answered. */
    @FunctionalInterface
    public interface LegitimateCall {
        void run() throws Exception;
    }

    /**
     * Sends all inputs, several to a connection. Then a legitimate call must be answered, and the process hold no more
     * descriptors, threads and memory than before.
     *
     * @return how many inputs there were, without {@link #WARM_UP}
     */
    public static int play(int port, FuzzSource source, LegitimateCall legitimate) throws Exception {
        return play(port, Socket::new, source, legitimate, INPUTS);
    }

    /** The same with the inputs that are for ports with TLS. */
    public static int playBeforeTls(int port, FuzzSource source, LegitimateCall legitimate) throws Exception {
        return play(port, Socket::new, source, legitimate, TLS_INPUTS);
    }

    /**
     * As many by callers that are let in by TLS: each connection begins with a handshake that succeeds.
     *
     * @param tls of whoever may call
     */
    public static int playWithinTls(int port, SSLContext tls, FuzzSource source, LegitimateCall legitimate)
            throws Exception {
        Connecting connecting = (address, number) -> {
            SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(address, number);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(HANDSHAKE_MILLIS);
            socket.startHandshake();
            return socket;
        };
        return play(port, connecting, source, legitimate, TLS_INPUTS);
    }

    /** Makes a connection over which an input is sent. */
    @FunctionalInterface
    private interface Connecting {
        Socket connect(InetAddress address, int port) throws IOException;
    }

    private static int play(int port, Connecting connecting, FuzzSource source, LegitimateCall legitimate, int most)
            throws Exception {
        LIBRARY.setLevel(Level.OFF);
        legitimate.run();
        new FuzzRun(port, connecting, source).send(SEED - WARM_UP, Math.min(WARM_UP, most));
        legitimate.run();
        Usage before = Usage.now();
        long began = System.nanoTime();
        FuzzRun run = new FuzzRun(port, connecting, source);
        try {
            run.send(SEED, most);
            legitimate.run();
            if (run.sent(most) > MANY) {
                // What is held for some seconds is much of so many.
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(15));
            }
            Usage after = Usage.requireAtMost(before);
            System.out.printf(
                    "%d inputs to port %d in %d s; held before: %s, after: %s%n",
                    run.sent(most), port, (System.nanoTime() - began) / 1_000_000_000L, before, after);
        } catch (Exception | AssertionError e) {
            throw new AssertionError("after " + run.sent(most) + " inputs; again with -Dfuzz.seed=" + SEED, e);
        }
        int inputs = run.sent(most);
        if (run.turnedAway.get() > inputs / 10) {
            throw new AssertionError(run.turnedAway + " connections were not taken at all");
        }
        return inputs;
    }

    private int sent(int most) {
        return Math.min(taken.get(), most);
    }

    private void send(long seed, int count) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                ends.add(callers.submit(() -> call(seed, count)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            callers.shutdownNow();
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    private void call(long seed, int count) {
        byte[] answer = new byte[1 << 16];
        while (System.nanoTime() - end < 0) {
            int i = taken.getAndAdd(MAX_INPUTS_OF_CALLER);
            if (i >= count) {
                return;
            }
            try (Caller caller = new Caller()) {
                for (int j = i; j < Math.min(i + MAX_INPUTS_OF_CALLER, count); j++) {
                    Random random = new Random((seed + j) * MIX);
                    caller.send(source.next(random));
                    if (random.nextInt(3) == 0) {
                        caller.end(answer, random);
                        caller.reopen();
                    }
                }
                caller.end(answer, new Random((seed + i) * MIX));
            } catch (IOException refused) {
                turnedAway.incrementAndGet();
            }
        }
    }

    /** One connection after the other. */
    private final class Caller implements AutoCloseable {
        private Socket socket;

        Caller() throws IOException {
            socket = connect();
        }

        void reopen() throws IOException {
            socket = connect();
        }

        /** In one piece or two; whoever is hung up on does not mind. */
        void send(byte[] bytes) {
            try {
                OutputStream out = socket.getOutputStream();
                int half = bytes.length % 2 == 0 ? bytes.length / 2 : 0;
                out.write(bytes, 0, half);
                out.write(bytes, half, bytes.length - half);
            } catch (IOException e) {
                // Hung up on.
            }
        }

        /** Most wait for what the listener answers, so that it has seen all; some vanish, some stay. */
        void end(byte[] answer, Random random) throws IOException {
            if (random.nextInt(100) == 0 && held.size() < HELD) {
                held.add(socket);
                return;
            }
            if (random.nextInt(10) > 0) {
                awaitEnd(answer);
            }
            socket.close();
        }

        private void awaitEnd(byte[] answer) {
            try {
                socket.shutdownOutput();
                int read = 0;
                while (read >= 0) {
                    read = socket.getInputStream().read(answer);
                }
            } catch (SocketTimeoutException e) {
                // It waits for more, or is busy.
            } catch (IOException e) {
                // Hung up on.
            }
        }

        /** What is held is closed at the end of all. */
        @Override
        public void close() throws IOException {
            if (!held.contains(socket)) {
                socket.close();
            }
        }
    }

    private Socket connect() throws IOException {
        Socket socket = connecting.connect(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        // No port stays behind in TIME_WAIT: there are fewer than inputs.
        socket.setSoLinger(true, 0);
        return socket;
    }
}
