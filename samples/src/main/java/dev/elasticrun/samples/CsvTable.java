/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the CSV format of {@code samples/data}: a header {@code rows,features,class 0,class 1}, then one line per row with
 * the features and the class. Strict: anything else is a {@link DataFileException} that names file, line and expectation.
 */
final class CsvTable {
    private final String name;
    private final List<String> lines;

    private CsvTable(String name, List<String> lines) {
        this.name = name;
        this.lines = lines;
    }

    static DataSet read(Path file) {
        try {
            return parse(file.toString(), Files.readAllLines(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new DataFileException("data file " + file + ": not found (expected: a CSV file, see --data)", e);
        } catch (IOException e) {
            throw new DataFileException("data file " + file + ": cannot be read as text: " + e, e);
        }
    }

    static DataSet parse(String name, List<String> lines) {
        return new CsvTable(name, lines).parse();
    }

    private DataSet parse() {
        int last = lines.size();
        while (last > 0 && lines.get(last - 1).isBlank()) {
            last--;
        }
        if (last == 0) {
            throw bad(1, "a header: rows,features,class 0,class 1", "an empty file");
        }
        String[] header = cells(0);
        if (header.length != 4) {
            throw bad(1, "a header of 4 values: rows,features,class 0,class 1", header.length + plural(header.length));
        }
        int rows = count(header[0], 2);
        int width = count(header[1], 1);
        int present = Math.min(rows, last - 1);
        double[][] features = new double[present][];
        int[] labels = new int[present];
        for (int row = 0; row < present; row++) {
            String[] cells = cells(row + 1);
            if (cells.length != width + 1) {
                throw bad(row + 2, (width + 1) + " numbers", Integer.toString(cells.length));
            }
            features[row] = new double[width];
            for (int column = 0; column < width; column++) {
                features[row][column] = number(cells[column], row + 2, column + 1);
            }
            labels[row] = label(cells[width], row + 2);
        }
        if (rows != last - 1) {
            // The line where a cut or overlong file goes wrong, not the header.
            throw bad(present + 2, rows + " rows, as in line 1", (last - 1) + " rows");
        }
        return new DataSet(features, labels);
    }

    private String[] cells(int line) {
        String text = lines.get(line);
        return text.isBlank() ? new String[0] : text.split(",", -1);
    }

    private int count(String cell, int least) {
        try {
            int value = Integer.parseInt(cell.strip());
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with numbers that are too small.
        }
        throw bad(1, "a whole number >= " + least, quoted(cell));
    }

    private double number(String cell, int line, int column) {
        try {
            double value = Double.parseDouble(cell);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with NaN and infinity.
        }
        throw bad(line, "a number in column " + column, quoted(cell));
    }

    private int label(String cell, int line) {
        return switch (cell.strip()) {
            case "0" -> 0;
            case "1" -> 1;
            default -> throw bad(line, "class 0 or 1 in the last column", quoted(cell));
        };
    }

    private DataFileException bad(int line, String expected, String found) {
        return new DataFileException(
                "data file " + name + " line " + line + ": expected " + expected + ", found " + found);
    }

    private static String plural(int count) {
        return count == 1 ? " value" : " values";
    }

    private static String quoted(String cell) {
        String shown = cell.length() > 40 ? cell.substring(0, 40) + "..." : cell;
        return "'" + shown + "'";
    }
}
