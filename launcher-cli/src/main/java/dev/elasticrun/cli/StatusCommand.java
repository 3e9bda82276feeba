/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.io.PrintStream;
import java.util.List;

/** {@code elastic-run status}. */
final class StatusCommand {
    static final String NAME = "status";

    private StatusCommand() {}

    /** @return what the process is to exit with */
    static int run(List<String> arguments, PrintStream out) {
        CommandModel.parse(CommandModel.status(), arguments);
        out.flush();
        throw new UsageException(List.of("status: not built yet"));
    }
}
