/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the request of a worker of this node to the tracker of rank 0's node, and its answers back. That tracker
 * sees this node as the caller, and so publishes this node's address to other workers. Both trackers prove that they
 * are agents of this run. Owned by the tracker's thread.
 */
final class TrackerRelay implements TrackerPeer {
    private static final int ANSWERS = 2;

    private final TrackerLine worker;
    private final InetSocketAddress tracker;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Frames frames;
    private final RuntimeRound round;
    private final TrackerCall.Who who;
    private final int port;
    private ByteBuffer out;
    private boolean greeted;
    private @Nullable TrackerProof proof;
    private int answers;

    private TrackerRelay(
            TrackerLine worker,
            SocketChannel channel,
            SelectionKey key,
            RuntimeRound round,
            TrackerCall.Who who,
            int port) {
        this.worker = worker;
        this.tracker = InetSocketAddress.createUnresolved(round.masterAddress(), round.masterPort());
        this.channel = channel;
        this.key = key;
        this.frames = new Frames(channel);
        this.round = round;
        this.who = who;
        this.port = port;
        this.out = Frames.all(Frames.magic(), Frames.of(TrackerCall.asking(who)));
        key.attach(this);
    }

    /**
     * Begins to connect to the tracker at the round's master endpoint, whose host is looked up.
     *
     * @param taskId by which that tracker is to know the worker
     * @param port where the worker listens
     */
    static TrackerRelay dial(Selector selector, RuntimeRound round, TrackerLine worker, String taskId, int port)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(round.masterAddress(), round.masterPort());
        TrackerCall.Who who = new TrackerCall.Who(taskId, round.own().nodeId(), TrackerProof.nonce());
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            boolean connected = channel.connect(address);
            SelectionKey key = channel.register(selector, connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT);
            return new TrackerRelay(worker, channel, key, round, who, port);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw new IOException("cannot connect to the tracker at " + address, e);
        }
    }

    @Override
    public void proceed() throws IOException {
        if (key.isConnectable()) {
            channel.finishConnect();
            key.interestOps(SelectionKey.OP_WRITE);
        } else if (key.isWritable()) {
            channel.write(out);
            key.interestOps(out.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        } else if (key.isReadable()) {
            read();
        }
    }

    private void read() throws IOException {
        boolean more = frames.fill();
        greeted = greeted || frames.integer().isPresent();
        while (greeted && answers < ANSWERS) {
            Optional<String> text = frames.text();
            if (text.isEmpty()) {
                break;
            } else if (proof == null) {
                proof = start(TrackerCall.nonce(text.get()));
            } else {
                answered(proof, TrackerCall.answer(text.get()));
            }
        }
        if (answers == ANSWERS) {
            worker.answered();
            close();
        } else if (!more) {
            throw new IOException("it hung up");
        }
    }

    private TrackerProof start(String challenge) {
        TrackerProof given =
                new TrackerProof(round, who.node(), round.masterPort(), who.taskId(), who.nonce(), challenge);
        out = Frames.of(TrackerCall.start(port, given.ofStart(port)));
        key.interestOps(SelectionKey.OP_WRITE);
        return given;
    }

    private void answered(TrackerProof expected, TrackerCall.Answer answer) throws IOException {
        answers++;
        if (!TrackerProof.equal(answer.proof(), expected.ofAnswer(answers, answer.text()))) {
            throw new IOException("it does not know the run key");
        }
        worker.answer(answer.text());
    }

    @Override
    public String who() {
        return "the tracker at " + tracker;
    }

    @Override
    public void drop() {
        worker.drop();
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
