/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.ssh;

import dev.elasticrun.cli.options.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host to start an agent on.
 *
 * @param destination as ssh takes it: HOST or USER@HOST
 * @param slots workers on it; empty = as many as the line has for all
 */
record SshHost(String destination, OptionalInt slots) {
    private static final String EXPECTED = "[USER@]HOST [slots=N]";
    // A dash in front would make it an option of ssh.
    private static final Pattern LINE =
            Pattern.compile("((?:[\\w.][\\w.-]*@)?[\\w.:\\[][\\w.:%\\[\\]-]*)" + "(?:\\s+slots=([1-9]\\d{0,3}))?");

    /** Without the user: where other nodes reach it, and its name on the console. */
    String name() {
        return destination.substring(destination.indexOf('@') + 1);
    }

    /**
     * The hosts of a file: one in a line; what follows {@code #} is a comment.
     *
     * @param flag by which the file was given
     * @throws UsageException naming each line that is wrong
     */
    static List<SshHost> read(String flag, Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw UsageException.of(flag, file.toString(), "a text file that can be read; " + e);
        }
        List<SshHost> hosts = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).split("#", 2)[0].strip();
            if (line.isEmpty()) {
                continue;
            }
            String where = flag + ": " + file + ", line " + (i + 1);
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                violations.add(UsageException.line(where, line, EXPECTED));
            } else if (!names.add(matcher.group(1))) {
                violations.add(UsageException.line(where, line, "each host once; slots=N for several workers"));
            } else {
                String slots = matcher.group(2);
                hosts.add(new SshHost(
                        matcher.group(1),
                        slots == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(slots))));
            }
        }
        if (hosts.isEmpty() && violations.isEmpty()) {
            violations.add(UsageException.line(flag, file + " has no host", EXPECTED + " in each line"));
        }
        if (!violations.isEmpty()) {
            throw new UsageException(violations);
        }
        return hosts;
    }
}
