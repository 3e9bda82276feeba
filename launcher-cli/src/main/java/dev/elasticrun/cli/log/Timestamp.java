/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/** Date and time with milliseconds and the offset of the zone, as ISO 8601 has them. Pure. */
final class Timestamp {
    private Timestamp() {}

    // The JDK's formatter costs more time at the start of an agent than all of its first line.
    static void append(StringBuilder line, Instant time, ZoneId zone) {
        OffsetDateTime local = OffsetDateTime.ofInstant(time, zone);
        digits(line, local.getYear(), 4).append('-');
        digits(line, local.getMonthValue(), 2).append('-');
        digits(line, local.getDayOfMonth(), 2).append('T');
        digits(line, local.getHour(), 2).append(':');
        digits(line, local.getMinute(), 2).append(':');
        digits(line, local.getSecond(), 2).append('.');
        digits(line, local.getNano() / 1_000_000, 3).append(local.getOffset().getId());
    }

    private static StringBuilder digits(StringBuilder line, int value, int count) {
        String text = Integer.toString(value);
        return line.append("0".repeat(Math.max(0, count - text.length()))).append(text);
    }
}
