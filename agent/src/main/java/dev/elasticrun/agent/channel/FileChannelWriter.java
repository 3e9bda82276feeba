/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.channel;

import dev.elasticrun.agent.directory.PrivateFiles;
import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent's end of one worker's channel: event files and the head. Called by one thread, the agent's loop: it writes
 * small files into shared memory, which takes well under a millisecond (more where the run directory had to fall back
 * to a disk). An event that cannot be written is kept until a later try succeeds.
 */
public final class FileChannelWriter implements AutoCloseable {
    static final int KEPT_EVENTS = 64;

    private final ChannelLayout layout;
    private final Path temporary;
    private final @Nullable Head head;
    private final Deque<WorkerEvent> unwritten = new ArrayDeque<>();
    private long lastSeq;
    private boolean isCut;

    private FileChannelWriter(ChannelLayout layout, @Nullable Head head) {
        this.layout = layout;
        // Not in events/: a worker that watches it would wake for the unfinished file too.
        this.temporary = layout.channelDirectory().resolve(".event");
        this.head = head;
    }

    /** Makes the head. The layout's directories exist, see {@link RunDirectory#layout}, and the worker does not yet. */
    public static FileChannelWriter open(ChannelLayout layout) throws IOException {
        return new FileChannelWriter(layout, Head.create(layout.head()));
    }

    /** Of a worker that cannot be started: there is no channel, and nothing can be written. */
    public static FileChannelWriter missing(int slot, int attempt) {
        return new FileChannelWriter(ChannelLayout.of(Path.of(""), slot, attempt), null);
    }

    /** The number for the next event. */
    public long nextSeq() {
        return lastSeq + 1;
    }

    /**
     * Takes an event over; {@link #write} makes it visible. What it supersedes and was not written yet never is: a
     * PAUSE voids all before it, and of several WORK after a PAUSE only the last one counts.
     */
    public void add(WorkerEvent event) {
        if (event.seq() != nextSeq()) {
            throw new IllegalArgumentException("seq: " + event.seq() + " (expected: " + nextSeq() + ")");
        }
        lastSeq = event.seq();
        boolean isWork = event.workerState() == WorkerState.HEALTHY;
        unwritten.removeIf(older -> !isWork || older.workerState() == WorkerState.HEALTHY);
        unwritten.addLast(event);
    }

    /**
     * Publishes the added events to the worker, each written in full before the head counts it. After a failure the
     * worker has not seen the remaining events; the next call retries them.
     */
    public void write() throws IOException {
        while (!unwritten.isEmpty()) {
            WorkerEvent event = unwritten.getFirst();
            if (wholeHead() == null) {
                throw new IOException(layout.head() + " was cut, which only the worker can have done");
            }
            PrivateFiles.replace(temporary, layout.event(event.seq()), MessageCodec.encode(event));
            unwritten.removeFirst();
            store(whole -> whole.publish(event.round(), event.seq(), event.workerState()));
            if (event.seq() > KEPT_EVENTS) {
                Files.deleteIfExists(layout.event(event.seq() - KEPT_EVENTS));
            }
        }
    }

    /** Adds an event and makes it visible, as {@link #write} does. */
    public void publish(WorkerEvent event) throws IOException {
        add(event);
        write();
    }

    /**
     * Renews the moment from which the worker behaves as paused.
     *
     * @param monotonicNanos as {@link System#nanoTime()}; {@link Long#MAX_VALUE} = never
     */
    public void leaseDeadline(long monotonicNanos) {
        store(whole -> whole.leaseDeadline(monotonicNanos));
    }

    /** The run has come to this round, with this worker or without. */
    public void sealedRound(long round) {
        store(whole -> whole.sealedRound(round));
    }

    /** Whether the worker cut its head off, so that nothing reaches it any more. */
    public boolean isCut() {
        return isCut;
    }

    // A store into a page that the file no longer has is a fault: the size is checked before.
    private void store(Consumer<Head> change) {
        Head whole = wholeHead();
        if (whole != null) {
            try {
                change.accept(whole);
            } catch (InternalError cutMeanwhile) {
                isCut = true;
            }
        }
    }

    private @Nullable Head wholeHead() {
        try {
            isCut = isCut || (head != null && Files.size(layout.head()) != Head.SIZE);
        } catch (IOException unlinked) {
            // What is mapped stays.
        }
        return isCut ? null : head;
    }

    /** Ends writing; the files stay for the worker. */
    @Override
    public void close() {
        if (head != null) {
            head.close();
        }
    }
}
