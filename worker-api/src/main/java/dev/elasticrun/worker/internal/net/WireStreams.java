/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A wire as streams, for the few bytes before the first frame. Input is not buffered: what follows is not ours. */
final class WireStreams {
    private WireStreams() {}

    static DataInputStream in(Wire wire) {
        return new DataInputStream(new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                return length == 0 ? 0 : wire.read(ByteBuffer.wrap(to, offset, length));
            }
        });
    }

    static DataOutputStream out(Wire wire) {
        return new DataOutputStream(new BufferedOutputStream(new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                wire.write(ByteBuffer.wrap(new byte[] {(byte) value}));
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                wire.write(ByteBuffer.wrap(from, offset, length));
            }
        }));
    }
}
