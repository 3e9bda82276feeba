/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import com.google.protobuf.ByteString;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what {@link ColumnWriter} wrote. The text that was read last stays in a buffer, so that skipping costs little. */
final class ColumnReader {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_TEXT = 1 << 16;

    private final byte[] bytes;
    private int position;
    private byte[] text = new byte[64];
    private int textLength;
    private long runValue;
    private long runLength;

    ColumnReader(ByteString bytes) {
        this.bytes = bytes.toByteArray();
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = octet();
            value |= (long) (next & 0x7F) << shift;
            if ((next & 0x80) == 0) {
                return value;
            }
        }
        throw corrupt("a number of more than 64 bits");
    }

    long signed() {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    long run() {
        if (runLength == 0) {
            runValue = signed();
            runLength = varint();
            if (runLength <= 0) {
                throw corrupt("a run of no length");
            }
        }
        runLength--;
        return runValue;
    }

    int port() {
        int high = octet();
        return (high << 8) | octet();
    }

    void text() {
        textAfter(text, textLength);
    }

    /** @param other the column whose last text was known to the writer */
    void textAfter(ColumnReader other) {
        textAfter(other.text, other.textLength);
    }

    private void textAfter(byte[] known, int knownLength) {
        long shared = varint();
        long kind = varint();
        long left = kind >>> 1;
        boolean hex = (kind & 1) != 0;
        long length = shared + (hex ? 1 + 2 * left : left);
        if (shared < 0 || shared > knownLength || left < 0 || left > MAX_TEXT || length > MAX_TEXT) {
            throw corrupt("a text of " + length + " bytes");
        }
        if (length > text.length) {
            text = Arrays.copyOf(text, (int) Math.max(length, 2L * text.length));
        }
        int at = (int) shared;
        if (known != text) {
            System.arraycopy(known, 0, text, 0, at);
        }
        if (hex) {
            text[at++] = '-';
        }
        for (int i = 0; i < left; i++) {
            int next = octet();
            if (hex) {
                text[at++] = HEX[next >> 4];
                text[at++] = HEX[next & 0xF];
            } else {
                text[at++] = (byte) next;
            }
        }
        textLength = at;
    }

    boolean lastTextIs(byte[] expected) {
        return Arrays.equals(text, 0, textLength, expected, 0, expected.length);
    }

    String lastText() {
        return new String(text, 0, textLength, StandardCharsets.UTF_8);
    }

    private int octet() {
        if (position >= bytes.length) {
            throw corrupt("it ends too early");
        }
        return bytes[position++] & 0xFF;
    }

    private CorruptRecordException corrupt(String what) {
        return new CorruptRecordException("round: column of " + bytes.length + " bytes: " + what, null);
    }
}
