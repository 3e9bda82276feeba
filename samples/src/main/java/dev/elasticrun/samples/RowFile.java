/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file of rows with labels. Its rows are dealt out by their number, so that every worker can read its own part of the
 * same file and nothing has to be sent. Whatever is wrong with the file is a {@link DataFileException} that names the file,
 * the line, what was expected there and what was found; rows of other shards are not looked into.
 *
 * @param holdOutEvery of so many rows the first is held out: not for training, but to judge the result; 0 = none is
 */
record RowFile(Path file, RowFormat format, int holdOutEvery) {

    RowFile {
        if (holdOutEvery < 0 || holdOutEvery == 1) {
            throw new IllegalArgumentException("holdOutEvery: " + holdOutEvery + " (expected: 0, or >= 2)");
        }
    }

    /** The rows to learn from of one shard: of these rows, counted from 0, every one whose index has its remainder. */
    LabelledRows training(Shard shard) {
        return read(shard, false);
    }

    /** The same of the rows that are held out. */
    LabelledRows heldOut(Shard shard) {
        return read(shard, true);
    }

    private LabelledRows read(Shard shard, boolean isHeldOut) {
        RowBuilder rows = new RowBuilder();
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            long lines = 0;
            long all = 0;
            long dealt = 0;
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                lines++;
                TextLine line = new TextLine(file.toString(), lines, text);
                if (!format.isRow(line)) {
                    continue;
                }
                if ((holdOutEvery > 0 && all % holdOutEvery == 0) == isHeldOut) {
                    if (dealt % shard.worldSize() == shard.rank()) {
                        format.parse(line, rows);
                    }
                    dealt++;
                }
                all++;
            }
            if (all == 0) {
                throw new DataFileException("data file " + file + ": expected rows, found none in " + lines + " lines");
            }
        } catch (NoSuchFileException e) {
            throw new DataFileException("data file " + file + ": not found (expected: a file of rows, see --data)", e);
        } catch (IOException e) {
            throw new DataFileException("data file " + file + ": cannot be read as text: " + e, e);
        }
        return rows.build();
    }
}
