/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import ch.qos.logback.classic.Level;
import java.time.Instant;

/** What lines of the log look like. Implementations are pure. */
interface LogStyle {
    /**
     * One line with its end, and the lines of the stack after it.
     *
     * @param stack of an exception; empty = there is none
     */
    String line(Instant time, Level level, String message, String stack);
}
