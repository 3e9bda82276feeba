/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.xgboost;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the workers of one round find each other as XGBoost's own tracker does (protocol of XGBoost 2.1 and later), but
 * with ranks that the run has decided: a worker's task id is its rank, or {@code g<round>-r<rank>}, which is refused in
 * any other round. A worker that waits for others is freed when the tracker is closed, also one that got its answer and
 * waits in native code for a neighbour that has died. One thread; workers need it again only when they are done.
 */
final class XgboostTracker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(XgboostTracker.class);
    private static final int BACKLOG = 1024;
    /** For how long workers that may be stuck are dialled at the end. */
    private static final long POKE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Selector selector;
    private final ServerSocketChannel door;
    private final Bootstrap bootstrap;
    private final String name;
    private final Set<InetSocketAddress> answered = new HashSet<>();
    private final Thread thread;
    private volatile boolean closed;

    private XgboostTracker(Selector selector, ServerSocketChannel door, long round, int worldSize) {
        this.selector = selector;
        this.door = door;
        this.bootstrap = new Bootstrap(round, worldSize);
        this.name = "round=" + round + " tracker";
        this.thread = new Thread(this::run, "xgboost-tracker");
        thread.setDaemon(true);
    }

    /** A channel that listens at that port, at every address of this machine. */
    static ServerSocketChannel listen(int port) throws IOException {
        ServerSocketChannel door = ServerSocketChannel.open();
        try {
            return door.bind(new InetSocketAddress(port), BACKLOG);
        } catch (IOException e) {
            door.close();
            throw new IOException("cannot listen at port " + port, e);
        }
    }

    /**
     * Serves that round from now on.
     *
     * @param door listens already; closed with the tracker, and when this fails
     */
    static XgboostTracker serve(ServerSocketChannel door, long round, int worldSize) throws IOException {
        try {
            Selector selector = Selector.open();
            door.configureBlocking(false);
            door.register(selector, SelectionKey.OP_ACCEPT);
            XgboostTracker tracker = new XgboostTracker(selector, door, round, worldSize);
            tracker.thread.start();
            return tracker;
        } catch (IOException | RuntimeException e) {
            door.close();
            throw e;
        }
    }

    /** Where it listens. */
    int port() {
        return door.socket().getLocalPort();
    }

    /** Ends it soon: workers that wait get an end of file, and those that may wait for each other are dialled. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }

    private void run() {
        try (selector;
                door) {
            while (!closed) {
                selector.select();
                for (SelectionKey key : new ArrayList<>(selector.selectedKeys())) {
                    handle(key);
                }
                selector.selectedKeys().clear();
            }
            List<SelectionKey> open = new ArrayList<>(selector.keys());
            for (SelectionKey key : open) {
                key.channel().close();
            }
            // Only now the sockets are gone, and with them the port.
            selector.selectNow();
            new StuckWorkers(answered).poke(POKE_NANOS);
        } catch (IOException e) {
            LOG.warn("{} ended", name, e);
        }
    }

    private void handle(SelectionKey key) throws IOException {
        if (!key.isValid()) {
            return;
        } else if (key.isAcceptable()) {
            accept();
            return;
        }
        TrackerLine line = (TrackerLine) key.attachment();
        try {
            if (key.isWritable()) {
                line.flush();
            }
            if (key.isValid() && key.isReadable()) {
                line.read(this::asked);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.info("{}: the line of {} is closed: {}", name, line.who(), e.getMessage());
            drop(line);
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = door.accept();
        if (channel == null) {
            return;
        }
        channel.configureBlocking(false);
        TrackerLine line = new TrackerLine(channel, channel.register(selector, SelectionKey.OP_READ));
        try {
            line.greet();
        } catch (IOException e) {
            drop(line);
        }
    }

    private void asked(TrackerLine line, TrackerCall call) {
        if (call instanceof TrackerCall.Start start) {
            begin(line, start);
        } else if (call instanceof TrackerCall.Failed failed) {
            LOG.info("{}: task {} failed with code {}: {}", name, line.taskId(), failed.code(), failed.message());
            drop(line);
        } else if (call instanceof TrackerCall.Print print) {
            LOG.info("{}: task {}: {}", name, line.taskId(), print.line().strip());
            drop(line);
        } else {
            drop(line);
        }
    }

    private void begin(TrackerLine line, TrackerCall.Start start) {
        bootstrap
                .refusal(line.taskId())
                .ifPresentOrElse(
                        why -> {
                            LOG.warn("{}: {}", name, why);
                            drop(line);
                        },
                        () -> {
                            line.say(TrackerCall.worldSize(bootstrap.worldSize()));
                            bootstrap
                                    .arrive(line.taskId(), line.host(), start.port(), line)
                                    .ifPresent(before -> drop((TrackerLine) before));
                            if (bootstrap.isComplete()) {
                                answer();
                            }
                        });
    }

    private void answer() {
        for (Bootstrap.Place place : bootstrap.places()) {
            TrackerLine line = (TrackerLine) place.connection();
            line.say(TrackerCall.neighbour(bootstrap.next(place)));
            line.closeWhenSaid();
            answered.add(new InetSocketAddress(place.host(), place.port()));
        }
        LOG.debug("{}: {} workers have each other's addresses", name, bootstrap.worldSize());
        bootstrap.clear();
    }

    private void drop(TrackerLine line) {
        bootstrap.leave(line);
        line.close();
    }
}
