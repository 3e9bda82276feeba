/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a file with the bytes of one local state, or of one block of parity: {@code <version>.<maker>-<number>.local}. The
 * file of a worker's local states, {@code <slot>.<local rank>}, contains it.
 *
 * @param maker distinguishes the process that made the file from all others of the run
 * @param number counts the files of that process
 */
public record ContentName(long version, String maker, long number) {
    private static final Pattern NAME = Pattern.compile("([0-9]{1,18})\\.([0-9a-f]{1,16})-([0-9]{1,18})\\.local");

    public static Optional<ContentName> parse(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                ? Optional.of(
                        new ContentName(Long.parseLong(parts.group(1)), parts.group(2), Long.parseLong(parts.group(3))))
                : Optional.empty();
    }

    static Optional<ContentName> of(Path file) {
        return parse(String.valueOf(file.getFileName()));
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return version + "." + maker + "-" + number + ".local";
    }
}
