/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that holds room in the run directory's file system. It is given up when that is full, so that the agent can
 * still write what its workers must know, and filled again later. Called by one thread, the agent's loop.
 */
public final class Ballast {
    private static final Logger LOG = LoggerFactory.getLogger(Ballast.class);
    private static final int PIECE = 1 << 16;

    private final Path file;
    private final int bytes;
    private boolean isHeld;

    private Ballast(Path file, int bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Allocates the space if twice {@code bytes} are free. */
    static Ballast fill(Path file, int bytes) {
        Ballast ballast = new Ballast(file, bytes);
        ballast.refill();
        return ballast;
    }

    /** Gives the room up; false when it was given up before. */
    public boolean release() {
        if (!isHeld) {
            return false;
        }
        isHeld = false;
        delete();
        return true;
    }

    /**
     * Allocates the space again, unless it is allocated or another process may need it more; returns whether it is
     * allocated.
     */
    public boolean refill() {
        if (!isHeld && isRoomFor(2L * bytes)) {
            isHeld = write();
            if (!isHeld) {
                delete();
            }
        }
        return isHeld;
    }

    private boolean isRoomFor(long least) {
        try {
            return Files.getFileStore(file.toAbsolutePath().getParent()).getUsableSpace() >= least;
        } catch (IOException e) {
            LOG.debug("cannot read how much room there is for {}", file, e);
            return false;
        }
    }

    private boolean write() {
        try (FileChannel out = FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PrivateFiles.FILE)) {
            ByteBuffer zeros = ByteBuffer.allocate(PIECE);
            for (int left = bytes; left > 0; left -= zeros.position()) {
                zeros.position(0).limit(Math.min(PIECE, left));
                out.write(zeros);
            }
            return true;
        } catch (IOException noRoom) {
            LOG.debug("no room is held by {}: {}", file, noRoom.toString());
            return false;
        }
    }

    private void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.debug("cannot give up the room of {}", file, e);
        }
    }
}
