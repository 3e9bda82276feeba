/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** How much two names differ. Pure. */
public final class Spelling {
    private Spelling() {}

    /** The known name that is most like one that is not known, if it is like it at all. */
    public static Optional<String> nearest(String unknown, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String name) -> distance(unknown, name))
                        .thenComparing(name -> name))
                .filter(name -> distance(unknown, name) <= Math.max(2, unknown.length() / 3));
    }

    /** Fewest letters to insert, remove or replace that make one name of the other. */
    static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, Math.min(row[column], row[column - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
