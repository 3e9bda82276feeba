/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.xgboost;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * The wish of a worker of this node to take part, told to the tracker of rank 0's node, and its answers. That tracker sees
 * it come from this node, and so tells others to connect to here. Owned by the tracker's thread.
 */
final class TrackerRelay implements TrackerPeer {
    private static final int ANSWERS = 2;

    private final TrackerLine worker;
    private final InetSocketAddress tracker;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Frames frames;
    private final ByteBuffer wish;
    private boolean greeted;
    private int answers;

    private TrackerRelay(
            TrackerLine worker, InetSocketAddress tracker, SocketChannel channel, SelectionKey key, ByteBuffer wish) {
        this.worker = worker;
        this.tracker = tracker;
        this.channel = channel;
        this.key = key;
        this.frames = new Frames(channel);
        this.wish = wish;
        key.attach(this);
    }

    /**
     * Begins to connect.
     *
     * @param tracker its host may still have to be looked up
     * @param taskId by which the tracker is to know the worker
     * @param port where the worker listens
     */
    static TrackerRelay dial(Selector selector, InetSocketAddress tracker, TrackerLine worker, String taskId, int port)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(tracker.getHostString(), tracker.getPort());
        ByteBuffer wish =
                Frames.all(Frames.magic(), Frames.of(TrackerCall.who(taskId)), Frames.of(TrackerCall.start(port)));
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            boolean connected = channel.connect(address);
            SelectionKey key = channel.register(selector, connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT);
            return new TrackerRelay(worker, tracker, channel, key, wish);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw new IOException("cannot connect to the tracker at " + tracker, e);
        }
    }

    @Override
    public void proceed() throws IOException {
        if (key.isConnectable()) {
            channel.finishConnect();
            key.interestOps(SelectionKey.OP_WRITE);
        } else if (key.isWritable()) {
            channel.write(wish);
            key.interestOps(wish.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        } else if (key.isReadable()) {
            read();
        }
    }

    private void read() throws IOException {
        boolean more = frames.fill();
        greeted = greeted || frames.integer().isPresent();
        while (greeted && answers < ANSWERS) {
            Optional<String> answer = frames.text();
            if (answer.isEmpty()) {
                break;
            }
            answers++;
            worker.say(answer.get());
        }
        if (answers == ANSWERS) {
            worker.answered();
            close();
        } else if (!more) {
            throw new IOException("it hung up");
        }
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
