/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.util.Objects;

/**
 * Keys from {@code from} (inclusive) to {@code to} (exclusive), in the order of their UTF-8 bytes.
 *
 * @param to the first key beyond the range
 */
public record KeyRange(String from, String to) {

    public KeyRange {
        Objects.requireNonNull(from, "from");
        if (from.compareTo(to) >= 0) {
            throw new IllegalArgumentException("to: " + to + " (expected: after " + from + ")");
        }
    }

    /** Exactly this key. */
    public static KeyRange key(String key) {
        return new KeyRange(key, key + '\0');
    }

    /** All keys that start with this ASCII prefix. */
    public static KeyRange prefix(String prefix) {
        int last = prefix.length() - 1;
        return new KeyRange(prefix, prefix.substring(0, last) + (char) (prefix.charAt(last) + 1));
    }

    public boolean contains(String key) {
        return from.compareTo(key) <= 0 && key.compareTo(to) < 0;
    }
}
