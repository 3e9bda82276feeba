/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.text.Spelling;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Names in a configuration file: those of the flags without dashes, and two for what follows the flags. Pure. */
final class ConfigKeys {
    static final String PROGRAM = "program";
    static final String ARGUMENTS = "arguments";
    private static final Set<String> ONLY_FLAGS = Set.of("config", "print-config", "verbose", "version", "help");

    private ConfigKeys() {}

    /** The flag's own name for one of its names in any spelling; empty if no flag has it. */
    static String canonical(String key) {
        String dashed = dashed(key);
        if (dashed.equals(PROGRAM) || dashed.equals(ARGUMENTS)) {
            return dashed;
        }
        return Settings.all().stream()
                .filter(setting -> setting.names().contains(dashed))
                .map(Setting::name)
                .findFirst()
                .orElse("");
    }

    /** The violation for a key that is the name of no flag. */
    static String unknown(String where, String key) {
        String dashed = dashed(key);
        if (ONLY_FLAGS.contains(dashed)) {
            return UsageException.line(where, "in a file", "--" + dashed + " on the command line");
        }
        Set<String> known = Settings.all().stream()
                .flatMap(setting -> setting.names().stream())
                .collect(Collectors.toSet());
        known.addAll(List.of(PROGRAM, ARGUMENTS));
        String expected = "a flag that --help lists, without its dashes, or program or arguments";
        return UsageException.line(
                where,
                "unknown key",
                Spelling.nearest(dashed, known)
                        .map(near -> expected + "; the nearest is " + near)
                        .orElse(expected));
    }

    private static String dashed(String key) {
        return key.replace('_', '-');
    }
}
