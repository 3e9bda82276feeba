/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import java.util.Map;

/** Decides whether text has colours, by the variables that many programs have for it. Pure. */
final class Colours {
    private Colours() {}

    /** @param isTerminal whether the text goes to one */
    static boolean areWanted(Map<String, String> environment, boolean isTerminal) {
        if (!environment.getOrDefault("NO_COLOR", "").isEmpty()) {
            return false;
        }
        String force = environment.getOrDefault("CLICOLOR_FORCE", "");
        if (!force.isEmpty() && !force.equals("0")) {
            return true;
        }
        return isTerminal && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }
}
