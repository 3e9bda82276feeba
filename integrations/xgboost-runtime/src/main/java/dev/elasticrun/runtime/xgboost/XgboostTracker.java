/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the workers of one round find each other as XGBoost's own tracker does (protocol of XGBoost 2.1 and later), but
 * with ranks that the run has decided: a worker's task id is its rank, or {@code g<round>-r<rank>}, which is refused in
 * any other round. Each node of the round runs one, so that a worker never waits for another node to report its end;
 * the trackers of other nodes request the order of the ring from that of rank 0's node, and both prove that they are
 * agents of the run. Workers cannot authenticate in their protocol: the tracker accepts only those of this machine.
 * When the round is over, workers that wait are freed, also those that got their answer and wait in native code for a
 * neighbour that has died. One thread.
 */
final class XgboostTracker implements AutoCloseable, TrackerLine.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(XgboostTracker.class);
    private static final int BACKLOG = 1024;
    private static final long SWEEP_MILLIS = 1000;
    private static final long TROUBLE_NANOS = 200_000_000L;
    private static final int SPARE_LINES = 64;

    private final Selector selector;
    private final ServerSocketChannel door;
    private final RuntimeRound round;
    private final Bootstrap bootstrap;
    private final String name;
    private final RefusedLines refused;
    private final Set<InetSocketAddress> answered = new HashSet<>();
    private final int maxLines;
    private final Thread thread;
    private long troubleNanos;
    private volatile boolean over;
    private volatile boolean closed;

    private XgboostTracker(Selector selector, ServerSocketChannel door, RuntimeRound round) {
        this.selector = selector;
        this.door = door;
        this.round = round;
        this.bootstrap = new Bootstrap(round.number(), round.worldSize());
        // A worker opens one connection, leaves one behind when it is replaced, and opens another to report its end.
        this.maxLines = 4 * round.worldSize() + SPARE_LINES;
        this.name = "round=" + round.number() + " tracker";
        this.refused = new RefusedLines(name);
        this.thread = new Thread(this::run, "xgboost-tracker");
        thread.setDaemon(true);
    }

    /** A channel that listens at that port, 0 = one of the system's choice, at every address of this machine. */
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
    static XgboostTracker serve(ServerSocketChannel door, RuntimeRound round) throws IOException {
        try {
            Selector selector = Selector.open();
            door.configureBlocking(false);
            door.register(selector, SelectionKey.OP_ACCEPT);
            XgboostTracker tracker = new XgboostTracker(selector, door, round);
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

    /** How many connections were closed because of what came over them; any thread. */
    long refused() {
        return refused.count();
    }

    /**
     * Ends the round: workers that wait receive an end of file soon, the tracker dials those that may wait for each
     * other, and no worker can join any more. The tracker still accepts workers that report their end.
     */
    void over() {
        over = true;
        selector.wakeup();
    }

    /** Stops accepting connections. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }

    private void run() {
        try (selector;
                door) {
            boolean freed = false;
            while (!closed) {
                selector.select(SWEEP_MILLIS);
                sweep();
                if (over && !freed) {
                    freed = true;
                    free();
                }
                for (SelectionKey key : new ArrayList<>(selector.selectedKeys())) {
                    handle(key);
                }
                selector.selectedKeys().clear();
            }
            free();
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            LOG.warn("{} ended", name, e);
        }
    }

    private void free() {
        for (SelectionKey key : new ArrayList<>(selector.keys())) {
            if (key.attachment() instanceof TrackerLine line && line.waits()) {
                line.drop();
            }
        }
        StuckWorkers.poke(answered);
        answered.clear();
    }

    private void handle(SelectionKey key) throws IOException {
        if (!key.isValid()) {
            return;
        } else if (key.isAcceptable()) {
            accept();
            return;
        }
        TrackerPeer peer = (TrackerPeer) key.attachment();
        try {
            peer.proceed();
        } catch (IOException | RuntimeException e) {
            refused.add(peer.who(), ForeignText.shown(String.valueOf(e.getMessage())), System.nanoTime());
            peer.drop();
        }
    }

    /** Closes lines that did not send their request in time, and resumes accepting some time after a failure. */
    private void sweep() {
        long now = System.nanoTime();
        SelectionKey own = door.keyFor(selector);
        if (own != null && own.isValid() && own.interestOps() == 0 && now - troubleNanos > TROUBLE_NANOS) {
            own.interestOps(SelectionKey.OP_ACCEPT);
        }
        for (SelectionKey key : new ArrayList<>(selector.keys())) {
            if (key.attachment() instanceof TrackerLine line && line.isOpen() && line.isLate(now)) {
                refused.add(line.who(), "it did not send what it wants", now);
                line.drop();
            }
        }
    }

    private void accept() {
        try {
            admit();
        } catch (IOException e) {
            // Out of descriptors, for example: others will be given back.
            LOG.warn("{}: cannot take a connection: {}", name, e.getMessage());
            troubleNanos = System.nanoTime();
            door.keyFor(selector).interestOps(0);
        }
    }

    private void admit() throws IOException {
        SocketChannel channel = door.accept();
        if (channel == null) {
            return;
        }
        if (selector.keys().size() > maxLines) {
            refused.add(
                    String.valueOf(channel.getRemoteAddress()), "there are " + maxLines + " others", System.nanoTime());
            channel.close();
            return;
        }
        try {
            channel.configureBlocking(false);
            new TrackerLine(channel, channel.register(selector, SelectionKey.OP_READ), this).greet();
        } catch (IOException gone) {
            channel.close();
        }
    }

    @Override
    public void asked(TrackerLine line, TrackerCall call) throws IOException {
        boolean byNode = !line.node().isEmpty();
        if (!byNode && !line.isFromHere(round.own().address())) {
            throw new IOException("it is not of this machine, and proves nothing");
        } else if (call instanceof TrackerCall.Start start && !over) {
            begin(line, start);
            return;
        } else if (byNode) {
            LOG.debug("{}: a node is too late, or asks for nothing", name);
        } else if (call instanceof TrackerCall.Failed failed) {
            LOG.info(
                    "{}: task {} failed with code {}: {}",
                    name,
                    ForeignText.shown(line.taskId()),
                    failed.code(),
                    ForeignText.shown(failed.message()));
        } else if (call instanceof TrackerCall.Print print) {
            LOG.info("{}: task {}: {}", name, ForeignText.shown(line.taskId()), ForeignText.shown(print.line()));
        }
        line.drop();
    }

    @Override
    public void dropped(TrackerLine line) {
        bootstrap.leave(line);
    }

    private void begin(TrackerLine line, TrackerCall.Start start) {
        Optional<String> refusal = bootstrap.refusal(line.taskId()).or(() -> refusal(line, start));
        if (refusal.isPresent()) {
            refused.add(line.who(), ForeignText.shown(refusal.get()), System.nanoTime());
            line.drop();
        } else if (!round.hasRankZero()) {
            relay(line, start);
        } else {
            line.answer(TrackerCall.worldSize(bootstrap.worldSize()));
            if (!line.isOpen()) {
                return;
            }
            bootstrap.arrive(line.taskId(), line.host(), start.port(), line).ifPresent(before -> ((TrackerLine) before)
                    .drop());
            if (bootstrap.isComplete()) {
                answer();
            }
        }
    }

    /**
     * Why the caller gets no rank: no node of the round proves that it calls. The program decides which worker has
     * which rank: it assigns ranks by the parts of the data that the workers have.
     */
    private Optional<String> refusal(TrackerLine line, TrackerCall.Start start) {
        String node = line.node();
        if (node.isEmpty()) {
            return Optional.empty();
        } else if (round.nodes().stream().noneMatch(each -> each.nodeId().equals(node))) {
            return Optional.of("node " + node + " is not of the round");
        }
        TrackerProof proof = line.proof(round, port());
        line.proveBy(proof);
        return TrackerProof.equal(start.proof(), proof.ofStart(start.port()))
                ? Optional.empty()
                : Optional.of("who asks for node " + node + " does not know the run key");
    }

    private void relay(TrackerLine line, TrackerCall.Start start) {
        try {
            String taskId = bootstrap.taskId(line.taskId());
            line.relayedBy(TrackerRelay.dial(selector, round, line, taskId, start.port()));
            answered.add(new InetSocketAddress(line.host(), start.port()));
        } catch (IOException e) {
            LOG.warn("{}: {}", name, e.getMessage(), e);
            line.drop();
        }
    }

    private void answer() {
        for (Bootstrap.Place place : bootstrap.places()) {
            TrackerLine line = (TrackerLine) place.connection();
            line.answer(TrackerCall.neighbour(bootstrap.next(place)));
            line.answered();
            answered.add(new InetSocketAddress(place.host(), place.port()));
        }
        LOG.debug("{}: {} workers have each other's addresses", name, bootstrap.worldSize());
        bootstrap.clear();
    }
}
