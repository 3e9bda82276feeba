/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The areas of this node's workers, as far as this process has them mapped: its own, for life, and those of the peers
 * of the newest round. The garbage collector unmaps areas that peers left behind, and is triggered when they use much
 * memory. User thread only, but for {@link #close}.
 */
public final class SharedAreas {
    private static final System.Logger LOGGER = System.getLogger(SharedAreas.class.getName());
    private static final long MUCH_DROPPED = 256L << 20;

    private final Optional<Path> directory;
    private final Map<Long, SharedArea> peers = new HashMap<>();
    private long droppedBytes;
    // Guarded by this: the end of the process deletes what the user thread made.
    private @Nullable SharedArea mine;
    private boolean isClosed;

    /** Empty: this worker shares nothing. The directory ends with the worker, at the latest. */
    public SharedAreas(Optional<Path> directory) {
        this.directory = directory;
    }

    /** This worker's area; empty if it has none. */
    synchronized Optional<SharedArea> mine() {
        if (mine == null && directory.isPresent() && !isClosed) {
            Path file = directory.get().resolve("area");
            try {
                mine = SharedArea.create(file, new SecureRandom().nextLong());
            } catch (IOException | UnsupportedOperationException e) {
                LOGGER.log(Level.WARNING, "no shared memory for the workers of this node: " + file + ": " + e);
                isClosed = true;
            }
        }
        return Optional.ofNullable(mine);
    }

    SharedArea peer(Path file, long token) throws IOException {
        SharedArea known = peers.get(token);
        if (known == null) {
            known = SharedArea.open(file, token);
            peers.put(token, known);
        }
        return known;
    }

    /** Releases all peers' areas but these. */
    void retain(List<Long> tokens) {
        for (SharedArea area : List.copyOf(peers.values())) {
            if (!tokens.contains(area.token())) {
                peers.remove(area.token());
                droppedBytes += SharedArea.BYTES;
            }
        }
        if (droppedBytes > MUCH_DROPPED) {
            droppedBytes = 0;
            System.gc();
        }
    }

    /** The process ends. */
    public synchronized void close() {
        isClosed = true;
        if (mine != null) {
            try {
                mine.delete();
            } catch (IOException e) {
                LOGGER.log(Level.DEBUG, "deleting the shared area", e);
            }
        }
    }
}
