/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.internal.bootstrap.BootstrapIndex;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.replay.LogPosition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The state that a rank publishes when a round starts. All ranks receive all statements and conclude the same from
 * them. Each part reads and writes itself.
 */
public record PeerState(LogPosition progress, BootstrapIndex bootstrap, CheckpointInventory inventory) {

    /** A rank that has taken part in nothing but holds checkpoints. */
    public static PeerState of(CheckpointInventory inventory) {
        return new PeerState(LogPosition.NONE, BootstrapIndex.NONE, inventory);
    }

    public byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            progress.write(out);
            bootstrap.write(out);
            inventory.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    public static PeerState decode(byte[] bytes, String incarnation) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            PeerState peerState = new PeerState(
                    LogPosition.read(in), BootstrapIndex.read(in), CheckpointInventory.read(in, incarnation));
            if (in.available() > 0) {
                throw new IllegalArgumentException("statement: " + in.available() + " bytes too many");
            }
            return peerState;
        } catch (IOException e) {
            throw new IllegalArgumentException("statement: " + e.getMessage(), e);
        }
    }
}
