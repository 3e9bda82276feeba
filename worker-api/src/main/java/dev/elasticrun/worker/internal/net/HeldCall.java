/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A caller that has proved itself and waits for the verdict.
 *
 * @param proof of this end, which only the worker with the called seat sends
 */
record HeldCall(Hello hello, Wire wire, byte[] proof) {

    /** A few bytes into an empty send buffer: does not block. */
    void accept() throws IOException {
        wire.write(ByteBuffer.wrap(new byte[] {Handshake.ACCEPTED}), ByteBuffer.wrap(proof));
    }

    /** Reports that the round is over, and hangs up. */
    void refuse() {
        try {
            wire.write(ByteBuffer.wrap(new byte[] {Handshake.OLD_ROUND}));
        } catch (IOException e) {
            // The caller is gone and needs no answer.
        }
        wire.close();
    }

    void close() {
        wire.close();
    }
}
