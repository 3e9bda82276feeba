/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.util.StringTokenizer;

/**
 * {@code label index:value index:value ...} with ascending indices, as LIBSVM and XGBoost read it. What follows a {@code #}
 * is a comment. Columns that are not named are missing, which is not the same as 0 to XGBoost. Weights of rows and groups
 * ({@code qid}) are refused.
 *
 * @param firstIndex index of the first column: XGBoost takes indices as they are (0) unless an option changes it; files of
 *     LIBSVM itself begin with 1
 */
record LibsvmFormat(int firstIndex) implements RowFormat {

    LibsvmFormat {
        if (firstIndex != 0 && firstIndex != 1) {
            throw new IllegalArgumentException("firstIndex: " + firstIndex + " (expected: 0 or 1)");
        }
    }

    @Override
    public boolean isRow(TextLine line) {
        return !content(line).isBlank();
    }

    @Override
    public void parse(TextLine line, RowBuilder rows) {
        StringTokenizer words = new StringTokenizer(content(line));
        rows.start(line.real(words.nextToken(), "a label"));
        int last = -1;
        while (words.hasMoreTokens()) {
            String word = words.nextToken();
            int colon = word.indexOf(':');
            if (word.startsWith("qid:")) {
                throw line.bad("index:value (groups of rows are not supported)", TextLine.quoted(word));
            }
            if (colon < 0) {
                throw line.bad("index:value", TextLine.quoted(word));
            }
            int column = column(line, word, word.substring(0, colon), last);
            rows.put(column, line.real(word.substring(colon + 1), "a number for index " + word.substring(0, colon)));
            last = column;
        }
    }

    private int column(TextLine line, String word, String index, int last) {
        int column = -1;
        try {
            column = Integer.parseInt(index) - firstIndex;
        } catch (NumberFormatException e) {
            // Reported below, together with indices that are too low.
        }
        if (column < 0 || column == Integer.MAX_VALUE) {
            throw line.bad("index:value with an index from " + firstIndex, TextLine.quoted(word));
        }
        if (column <= last) {
            throw line.bad("an index above " + (last + firstIndex), TextLine.quoted(word));
        }
        return column;
    }

    private static String content(TextLine line) {
        int comment = line.text().indexOf('#');
        return comment < 0 ? line.text() : line.text().substring(0, comment);
    }
}
