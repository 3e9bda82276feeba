/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.internal.net.Network;
import dev.elasticrun.worker.internal.net.Wire;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Workers of one JVM that talk through memory, as slowly or in as small pieces as the test likes. A wire holds a bounded
 * number of bytes, as a socket does.
 */
final class MemoryNetwork {
    private final Map<Integer, MemoryDoor> doors = new ConcurrentHashMap<>();
    private final AtomicInteger ports = new AtomicInteger(1);
    private final int capacity;
    private final int largestRead;

    /** Called before a worker's wire is read or written; what it throws, the worker's call throws. */
    interface Tap {
        void tap() throws IOException;
    }

    /**
     * @param capacity bytes under way in one direction
     * @param largestRead bytes that one read returns at most
     */
    MemoryNetwork(int capacity, int largestRead) {
        this.capacity = capacity;
        this.largestRead = largestRead;
    }

    /** How one worker sees the network. */
    Network of(Tap tap) {
        return new Network() {
            @Override
            public Outgoing outgoing() {
                return new MemoryWire(tap);
            }

            @Override
            public Door listen(int port) {
                MemoryDoor door = new MemoryDoor(port == 0 ? ports.getAndIncrement() : port, tap);
                doors.put(door.port(), door);
                return door;
            }
        };
    }

    private final class MemoryDoor implements Network.Door {
        private final int port;
        private final Tap tap;
        private final Queue<MemoryWire> callers = new ArrayDeque<>();
        private boolean isClosed;

        private MemoryDoor(int port, Tap tap) {
            this.port = port;
            this.tap = tap;
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public synchronized Wire accept() throws IOException {
            Pipe.await(this, () -> isClosed || !callers.isEmpty());
            if (isClosed) {
                throw new AsynchronousCloseException();
            }
            return callers.remove();
        }

        @Override
        public synchronized boolean isOpen() {
            return !isClosed;
        }

        @Override
        public void close() {
            Queue<MemoryWire> left;
            synchronized (this) {
                isClosed = true;
                left = new ArrayDeque<>(callers);
                callers.clear();
                notifyAll();
            }
            doors.remove(port, this);
            left.forEach(MemoryWire::close);
        }

        private synchronized void call(MemoryWire caller) throws IOException {
            if (isClosed) {
                throw new ConnectException("Connection refused");
            }
            MemoryWire callee = new MemoryWire(tap);
            callee.join(caller.out, caller.in);
            callers.add(callee);
            notifyAll();
        }
    }

    private final class MemoryWire implements Network.Outgoing {
        private final Tap tap;
        private volatile Pipe in = new Pipe(capacity);
        private volatile Pipe out = new Pipe(capacity);

        private MemoryWire(Tap tap) {
            this.tap = tap;
        }

        private void join(Pipe newIn, Pipe newOut) {
            in = newIn;
            out = newOut;
        }

        @Override
        public void connect(String host, int port) throws IOException {
            tap.tap();
            MemoryDoor door = doors.get(port);
            if (door == null) {
                throw new ConnectException("Connection refused");
            }
            door.call(this);
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            tap.tap();
            return in.read(to, largestRead);
        }

        @Override
        public int poll(ByteBuffer to) throws IOException {
            tap.tap();
            return in.poll(to, largestRead);
        }

        @Override
        public int offer(ByteBuffer... parts) throws IOException {
            tap.tap();
            int taken = 0;
            for (ByteBuffer part : parts) {
                taken += out.offer(part);
                if (part.hasRemaining()) {
                    return taken;
                }
            }
            return taken;
        }

        @Override
        public void write(ByteBuffer... parts) throws IOException {
            tap.tap();
            for (ByteBuffer part : parts) {
                out.write(part);
            }
        }

        @Override
        public void close() {
            in.closeReader();
            out.closeWriter();
        }
    }

    /** One direction. */
    private static final class Pipe {
        private final byte[] bytes;
        private int start;
        private int length;
        private boolean isEnded;
        private boolean isBroken;

        private Pipe(int capacity) {
            bytes = new byte[capacity];
        }

        private synchronized int read(ByteBuffer to, int limit) throws IOException {
            await(this, () -> isBroken || isEnded || length > 0 || !to.hasRemaining());
            return poll(to, limit);
        }

        private synchronized int poll(ByteBuffer to, int limit) throws IOException {
            if (isBroken) {
                throw new ClosedChannelException();
            } else if (length == 0 && isEnded) {
                return -1;
            }
            int count = Math.min(Math.min(length, to.remaining()), Math.min(limit, bytes.length - start));
            to.put(bytes, start, count);
            start = (start + count) % bytes.length;
            length -= count;
            notifyAll();
            return count;
        }

        private synchronized void write(ByteBuffer from) throws IOException {
            while (from.hasRemaining()) {
                await(this, () -> isBroken || isEnded || length < bytes.length);
                offer(from);
            }
        }

        private synchronized int offer(ByteBuffer from) throws IOException {
            int taken = 0;
            while (from.hasRemaining()) {
                if (isBroken || isEnded) {
                    throw new EOFException("Broken pipe");
                }
                int end = (start + length) % bytes.length;
                int count = Math.min(Math.min(bytes.length - length, from.remaining()), bytes.length - end);
                if (count == 0) {
                    return taken;
                }
                from.get(bytes, end, count);
                length += count;
                taken += count;
                notifyAll();
            }
            return taken;
        }

        private synchronized void closeReader() {
            isBroken = true;
            notifyAll();
        }

        private synchronized void closeWriter() {
            isEnded = true;
            notifyAll();
        }

        /** Caller holds the monitor. */
        private static void await(Object monitor, BooleanSupplier condition) throws IOException {
            try {
                while (!condition.getAsBoolean()) {
                    monitor.wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AsynchronousCloseException();
            }
        }
    }
}
