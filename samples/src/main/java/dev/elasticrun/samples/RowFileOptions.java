/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The options that set which rows to read, the same for all programs that learn from rows. */
final class RowFileOptions {
    static final String USAGE = "--data FILE [--format libsvm|csv] [--label first|last] [--header] [--first-index 0|1]"
            + " [--hold-out EVERY]";

    private @Nullable Path file;
    private @Nullable Boolean isCsv;
    private boolean labelFirst = true;
    private boolean hasHeader;
    private int firstIndex;
    private int holdOutEvery;

    /** Takes the option that was read last if it is one of these. */
    boolean take(String name, Arguments arguments) {
        switch (name) {
            case "--data" -> file = arguments.file("the path of a file of rows");
            case "--format" -> isCsv = choice(arguments, "csv", "libsvm");
            case "--label" -> labelFirst = choice(arguments, "first", "last");
            case "--header" -> hasHeader = true;
            case "--first-index" -> firstIndex = choice(arguments, "1", "0") ? 1 : 0;
            case "--hold-out" -> {
                holdOutEvery = arguments.wholeNumber(0);
                if (holdOutEvery == 1) {
                    throw arguments.bad("1", "0 for none, or at least 2: one of so many rows");
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The file's name sets its format if nothing else does: {@code .csv}, else LIBSVM. */
    RowFile build(Arguments arguments) {
        Path path = file;
        if (path == null) {
            throw arguments.missing("--data");
        }
        Boolean asked = isCsv;
        boolean csv = asked == null ? path.toString().toLowerCase(Locale.ROOT).endsWith(".csv") : asked;
        return new RowFile(
                path, csv ? new CsvFormat(labelFirst, hasHeader) : new LibsvmFormat(firstIndex), holdOutEvery);
    }

    private static boolean choice(Arguments arguments, String yes, String no) {
        String text = arguments.text();
        if (!text.equals(yes) && !text.equals(no)) {
            throw arguments.bad(text, yes + " or " + no);
        }
        return text.equals(yes);
    }
}
