/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import java.util.regex.Pattern;

/** Words of command lines as shells read them. Pure. */
public final class ShellWords {
    /** Characters that no shell treats in a special way; zsh looks for a command where a word begins with {@code =}. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*");

    private ShellWords() {}

    /** A word that a shell takes for exactly this text. */
    public static String quoted(String text) {
        return isPlain(text) ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** Whether a text needs no quotes to be a word. */
    public static boolean isPlain(String text) {
        return PLAIN.matcher(text).matches();
    }
}
