/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes the few kinds of values of X.690 (DER) that a certificate has. Pure. */
final class Der {
    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED = 0x20;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    /** From then on a year has four digits (RFC 5280, 4.1.2.5). */
    private static final int LONG_YEARS = 2050;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return value(0x30, join(parts));
    }

    static byte[] set(byte[]... parts) {
        return value(0x31, join(parts));
    }

    static byte[] integer(BigInteger number) {
        return value(0x02, number.toByteArray());
    }

    static byte[] yes() {
        return value(0x01, new byte[] {(byte) 0xff});
    }

    static byte[] octets(byte[] content) {
        return value(0x04, content);
    }

    /** @param unused bits at the end of the last byte that are not part of the value */
    static byte[] bits(int unused, byte[] content) {
        return value(0x03, join(new byte[] {(byte) unused}, content));
    }

    static byte[] text(String text) {
        return value(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    /** @param dotted for example 2.5.4.3 */
    static byte[] oid(String dotted) {
        String[] parts = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(parts[0]) * 40 + Integer.parseInt(parts[1]));
        for (int i = 2; i < parts.length; i++) {
            int number = Integer.parseInt(parts[i]);
            for (int shift = 28; shift > 0; shift -= 7) {
                if (number >>> shift != 0) {
                    out.write(0x80 | (number >>> shift & 0x7f));
                }
            }
            out.write(number & 0x7f);
        }
        return value(0x06, out.toByteArray());
    }

    static byte[] time(Instant time) {
        String text = TIME.format(time);
        boolean isLong = Integer.parseInt(text.substring(0, 4)) >= LONG_YEARS;
        return value(isLong ? 0x18 : 0x17, text.substring(isLong ? 0 : 2).getBytes(StandardCharsets.US_ASCII));
    }

    /** A value in brackets, as the enclosing one needs to tell it from others. */
    static byte[] explicit(int tag, byte[] content) {
        return value(CONTEXT | CONSTRUCTED | tag, content);
    }

    /** A value whose tag says instead of its kind which of several it is. */
    static byte[] implicit(int tag, byte[] content) {
        return value(CONTEXT | tag, content);
    }

    private static byte[] value(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int from = length[0] == 0 ? 1 : 0;
            out.write(0x80 | (length.length - from));
            out.write(length, from, length.length - from);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
