/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** One column of a table, written from the first row to the last; {@link ColumnReader} reads it. */
final class ColumnWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private byte[] before = new byte[0];
    private long runValue;
    private long runLength;

    /** Seven bits a byte, the lowest first. */
    void varint(long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            bytes.write((int) ((left & 0x7F) | 0x80));
            left >>>= 7;
        }
        bytes.write((int) left);
    }

    /** Small for numbers near zero. */
    void signed(long value) {
        varint((value << 1) ^ (value >> 63));
    }

    /** A number that is often the one before: written once with how often it comes. */
    void run(long value) {
        if (runLength > 0 && value != runValue) {
            endRun();
        }
        runValue = value;
        runLength++;
    }

    /** Two bytes. */
    void port(int port) {
        if (port < 0 || port > 0xFFFF) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0 to 65535)");
        }
        bytes.write(port >> 8);
        bytes.write(port);
    }

    /** A text that starts like the one before. */
    void text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        textAfter(before, utf8);
        before = utf8;
    }

    /** A text that starts like another one which the reader knows; often a dash and hexadecimal digits follow. */
    void textAfter(byte[] known, byte[] text) {
        int shared = 0;
        while (shared < known.length && shared < text.length && known[shared] == text[shared]) {
            shared++;
        }
        varint(shared);
        int left = text.length - shared;
        if (isDashAndHex(text, shared)) {
            int pairs = (left - 1) / 2;
            varint((pairs << 1) | 1L);
            for (int i = shared + 1; i < text.length; i += 2) {
                bytes.write(Character.digit(text[i], 16) << 4 | Character.digit(text[i + 1], 16));
            }
        } else {
            varint((long) left << 1);
            bytes.write(text, shared, left);
        }
    }

    ByteString toBytes() {
        if (runLength > 0) {
            endRun();
        }
        return ByteString.copyFrom(bytes.toByteArray());
    }

    private void endRun() {
        signed(runValue);
        varint(runLength);
        runLength = 0;
    }

    private static boolean isDashAndHex(byte[] text, int from) {
        int digits = text.length - from - 1;
        if (digits < 2 || digits % 2 != 0 || text[from] != '-') {
            return false;
        }
        for (int i = from + 1; i < text.length; i++) {
            boolean hex = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
            if (!hex) {
                return false;
            }
        }
        return true;
    }
}
