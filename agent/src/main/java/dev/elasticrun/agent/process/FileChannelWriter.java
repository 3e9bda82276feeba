/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.WorkerEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The agent's end of one worker's channel: event files and the head. Called by one thread, the agent's loop: it writes
 * small files into shared memory, which takes well under a millisecond (more where the run directory had to fall back
 * to a disk).
 */
public final class FileChannelWriter implements AutoCloseable {
    static final int KEPT_EVENTS = 64;

    private final ChannelLayout layout;
    private final Path temporary;
    private final Head head;
    private long lastSeq;

    private FileChannelWriter(ChannelLayout layout, Head head) {
        this.layout = layout;
        // Not in events/: a worker that watches it would wake for the unfinished file too.
        this.temporary = layout.channelDirectory().resolve(".event");
        this.head = head;
    }

    /** Makes the head. The layout's directories exist, see {@link RunDirectory#layout}, and the worker does not yet. */
    public static FileChannelWriter open(ChannelLayout layout) throws IOException {
        return new FileChannelWriter(layout, Head.create(layout.head()));
    }

    /** The number for the next event. */
    public long nextSeq() {
        return lastSeq + 1;
    }

    /**
     * Makes the event visible to the worker, in full, before the head says so. When it fails the worker has not seen
     * it and the same event may be published again.
     */
    public void publish(WorkerEvent event) throws IOException {
        if (event.seq() != nextSeq()) {
            throw new IllegalArgumentException("seq: " + event.seq() + " (expected: " + nextSeq() + ")");
        }
        PrivateFiles.replace(temporary, layout.event(event.seq()), MessageCodec.encode(event));
        lastSeq = event.seq();
        head.publish(event.round(), event.seq(), event.workerState());
        if (lastSeq > KEPT_EVENTS) {
            Files.deleteIfExists(layout.event(lastSeq - KEPT_EVENTS));
        }
    }

    /**
     * Renews the moment from which the worker behaves as paused.
     *
     * @param monotonicNanos as {@link System#nanoTime()}; {@link Long#MAX_VALUE} = never
     */
    public void leaseDeadline(long monotonicNanos) {
        head.leaseDeadline(monotonicNanos);
    }

    /** The run has come to this round, with this worker or without. */
    public void sealedRound(long round) {
        head.sealedRound(round);
    }

    /** Ends writing; the files stay for the worker. */
    @Override
    public void close() {
        head.close();
    }
}
