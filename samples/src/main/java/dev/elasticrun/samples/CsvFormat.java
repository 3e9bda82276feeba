/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.util.Locale;

/**
 * Numbers with commas between them, as many in each line; one of them is the label. An empty cell, or {@code nan}, is a
 * missing value. No quotes.
 *
 * @param labelFirst the label is in the first column, else in the last
 * @param hasHeader the first line is not a row
 */
record CsvFormat(boolean labelFirst, boolean hasHeader) implements RowFormat {

    @Override
    public boolean isRow(TextLine line) {
        return !line.text().isBlank() && !(hasHeader && line.number() == 1);
    }

    @Override
    public void parse(TextLine line, RowBuilder rows) {
        String[] cells = line.text().split(",", -1);
        int width = cells.length - 1;
        if (rows.rows() > 0 && width != rows.columns()) {
            throw line.bad((rows.columns() + 1) + " values, as in the rows before", Integer.toString(cells.length));
        }
        if (width < 1) {
            throw line.bad("a label and at least one value, with a comma between them", TextLine.quoted(line.text()));
        }
        int label = labelFirst ? 0 : width;
        rows.start(number(line, cells[label], label, "a label"));
        rows.widen(width);
        for (int column = 0; column < width; column++) {
            int at = labelFirst ? column + 1 : column;
            String cell = cells[at].strip();
            if (!cell.isEmpty() && !cell.toLowerCase(Locale.ROOT).equals("nan")) {
                rows.put(column, number(line, cell, at, "a number, nan or nothing"));
            }
        }
    }

    private float number(TextLine line, String cell, int at, String what) {
        String hint = line.number() == 1 ? " (if the first line is a header: --header)" : "";
        return line.real(cell, what + " in column " + (at + 1) + hint);
    }
}
