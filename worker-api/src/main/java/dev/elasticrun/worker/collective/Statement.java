/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What a rank says of itself when a round starts. All ranks see all statements and conclude the same from them. Each
 * part reads and writes itself.
 */
record Statement(Progress progress, BootstrapIndex bootstrap, Holdings holdings) {

    /** A rank that has taken part in nothing but holds checkpoints. */
    static Statement of(Holdings holdings) {
        return new Statement(Progress.NONE, BootstrapIndex.NONE, holdings);
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            progress.write(out);
            bootstrap.write(out);
            holdings.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    static Statement decode(byte[] bytes, String incarnation) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            Statement statement =
                    new Statement(Progress.read(in), BootstrapIndex.read(in), Holdings.read(in, incarnation));
            if (in.available() > 0) {
                throw new IllegalArgumentException("statement: " + in.available() + " bytes too many");
            }
            return statement;
        } catch (IOException e) {
            throw new IllegalArgumentException("statement: " + e.getMessage(), e);
        }
    }
}
