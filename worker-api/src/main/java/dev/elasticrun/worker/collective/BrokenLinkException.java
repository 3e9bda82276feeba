/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.IOException;

/** The connection to a rank of this round is gone. Never reaches the user. */
public final class BrokenLinkException extends IOException {
    private final int rank;
    private boolean isMalformed;

    public BrokenLinkException(int rank, String message) {
        super("rank " + rank + ": " + message);
        this.rank = rank;
    }

    public BrokenLinkException(int rank, IOException cause) {
        super("rank " + rank + ": " + cause, cause);
        this.rank = rank;
    }

    /** What the peer sent is not of the protocol. */
    public static BrokenLinkException malformed(int rank, String message) {
        BrokenLinkException exception = new BrokenLinkException(rank, message);
        exception.isMalformed = true;
        return exception;
    }

    public boolean isMalformed() {
        return isMalformed;
    }

    public int rank() {
        return rank;
    }
}
