/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Rows of texts in columns. Pure. */
public final class TextTable {
    private static final String GAP = "  ";

    private TextTable() {}

    /**
     * A line for each row; columns begin at the same place in all of them.
     *
     * @param rows of the same number of cells, the headings first
     */
    public static List<String> lines(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                line.append(cell).append(GAP).append(" ".repeat(width(rows, column) - cell.length()));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
