/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

/** How a row is written in a line of text. */
sealed interface RowFormat permits LibsvmFormat, CsvFormat {

    /** Whether this line is a row at all. Reads no number: rows of other shards are only counted. */
    boolean isRow(TextLine line);

    /** Adds the row of this line, or throws {@link DataFileException}. */
    void parse(TextLine line, RowBuilder rows);
}
