/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Limits that a process started here has, as {@code ulimit} shows them. A JVM raises the limit of open files to the hard one for
 * itself and what it starts: this is what agents have, too.
 *
 * @param openFiles of each process; empty = none
 * @param processes of the user, with threads; empty = none
 */
record ProcessLimits(OptionalLong openFiles, OptionalLong processes) {
    private static final int SOFT_COLUMN = 26;

    static ProcessLimits ofThisProcess() {
        try {
            return of(Files.readString(Path.of("/proc/self/limits"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return new ProcessLimits(OptionalLong.empty(), OptionalLong.empty());
        }
    }

    /** @param table as the kernel writes it, in columns of a fixed width */
    static ProcessLimits of(String table) {
        return new ProcessLimits(soft(table, "Max open files"), soft(table, "Max processes"));
    }

    private static OptionalLong soft(String table, String name) {
        return table.lines()
                .filter(line -> line.startsWith(name) && line.length() > SOFT_COLUMN)
                .map(line -> line.substring(SOFT_COLUMN).trim().split("\\s+", 2)[0])
                .filter(value -> value.matches("\\d{1,18}"))
                .mapToLong(Long::parseLong)
                .findFirst();
    }
}
