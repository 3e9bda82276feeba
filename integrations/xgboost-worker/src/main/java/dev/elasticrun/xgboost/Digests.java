/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of states and models. */
final class Digests {
    private Digests() {}

    /** All of it, in hexadecimal digits. */
    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(sha256(bytes));
    }

    /** Enough of the hash to distinguish states; greater than 0, so that it has a negative. */
    static long identity(byte[] bytes) {
        return (ByteBuffer.wrap(sha256(bytes)).getLong() >>> 1) | 1;
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
