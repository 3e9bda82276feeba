/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import java.util.regex.Pattern;

/** Words as bash and {@code sbatch} read them. Pure. */
final class BashWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private BashWords() {}

    /** A word that bash takes for exactly this text. */
    static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /**
     * The value of an option on a line that begins with {@code #SBATCH}: sbatch knows quotes there, and takes what follows a #
     * for a comment.
     *
     * @param value has no double quote, backslash or end of line
     */
    static String inDirective(String value) {
        return PLAIN.matcher(value).matches() ? value : '"' + value + '"';
    }
}
