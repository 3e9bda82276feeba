/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** Reads numbers from files of the kernel. */
public final class ProcFile {
    private static final int KIB_SHIFT = 10;
    private static final int HEXADECIMAL = 16;
    // Behind the name.
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    // The kernel's unit in files, on all machines.
    private static final int MILLIS_PER_TICK = 10;

    private ProcFile() {}

    /** The number after that name at the begin of a line; empty = there is none, or the file cannot be read. */
    public static OptionalLong number(Path file, String name) {
        return value(file, name, Long::parseLong);
    }

    /** The same of a set of bits, as the kernel writes signals: in hexadecimal digits without a prefix. */
    static OptionalLong mask(Path file, String name) {
        return value(file, name, digits -> Long.parseUnsignedLong(digits, HEXADECIMAL));
    }

    private static OptionalLong value(Path file, String name, ToLongFunction<String> parse) {
        try {
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                    .map(String::trim)
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.split("\\s+"))
                    .filter(words -> words.length >= 2 && words[0].equals(name))
                    .mapToLong(words -> parse.applyAsLong(words[1]))
                    .findFirst();
        } catch (IOException | NumberFormatException unreadable) {
            return OptionalLong.empty();
        }
    }

    /** Resident memory of a process in bytes, without its children; 0 = not known, as when it has ended. */
    public static long residentBytes(Path proc, long pid) {
        return number(proc.resolve(pid + "/status"), "VmRSS:").orElse(0) << KIB_SHIFT;
    }

    /** Processor time that a process has used, without its children; empty = not known, as when it has ended. */
    public static OptionalLong cpuMillis(Path proc, long pid) {
        try {
            String stat = Files.readString(proc.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            // The name before the parenthesis may contain anything.
            String[] words = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            long ticks = Long.parseLong(words[USER_TICKS]) + Long.parseLong(words[SYSTEM_TICKS]);
            return OptionalLong.of(ticks * MILLIS_PER_TICK);
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException unreadable) {
            return OptionalLong.empty();
        }
    }
}
