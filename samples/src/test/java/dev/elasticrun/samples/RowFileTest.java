/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
final class RowFileTest {
    private static final Path LIBSVM = BreastCancer.FILE.resolveSibling("breast-cancer.libsvm");
    private static final RowFormat CSV = new CsvFormat(false, true);
    private static final float NONE = Float.NaN;

    @TempDir
    private Path directory;

    @Test
    void shippedFiles_ofBothForms_haveTheSameRows() {
        LabelledRows fromCsv = new RowFile(BreastCancer.FILE, CSV, 0).training(Shard.WHOLE);
        LabelledRows fromLibsvm = new RowFile(LIBSVM, new LibsvmFormat(0), 0).training(Shard.WHOLE);

        assertThat(fromCsv.rows()).isEqualTo(569);
        assertThat(fromCsv.columns()).isEqualTo(30);
        assertSame(fromLibsvm, fromCsv);
        assertThat(fromCsv.dense()).hasSize(569 * 30).startsWith(17.99f, 10.38f).doesNotContain(NONE);
        assertThat(fromCsv.labels()).startsWith(0, 0);
        assertThat(fromCsv.labels()).containsOnly(0, 1);
    }

    @Test
    void shards_dealOutEachTrainingRowOnce_andKeepWhatIsHeldOut() throws IOException {
        StringBuilder text = new StringBuilder("# numbers\n");
        for (int row = 0; row < 11; row++) {
            text.append(row).append(" 0:").append(row).append("\n\n");
        }
        RowFile file = new RowFile(write(text.toString()), new LibsvmFormat(0), 5);

        assertThat(file.training(new Shard(0, 3)).labels()).containsExactly(1, 4, 8);
        assertThat(file.training(new Shard(1, 3)).labels()).containsExactly(2, 6, 9);
        assertThat(file.training(new Shard(2, 3)).labels()).containsExactly(3, 7);
        assertThat(file.training(new Shard(8, 9)).rows()).isZero();
        assertThat(file.heldOut(Shard.WHOLE).labels()).containsExactly(0, 5, 10);
        assertThat(file.heldOut(new Shard(1, 2)).labels()).containsExactly(5);
        assertThat(new RowFile(file.file(), file.format(), 0)
                        .heldOut(Shard.WHOLE)
                        .rows())
                .isZero();
    }

    @Test
    void libsvm_sparseRows_areMissingWhereNothingIsWritten() throws IOException {
        Path file = write("1 0:1.5 2:-3e-2 # a remark\r\n# only a remark\r\n   \r\n-1\r\n+1\t1:.5");

        LabelledRows rows = new RowFile(file, new LibsvmFormat(0), 0).training(Shard.WHOLE);

        assertThat(rows.labels()).containsExactly(1, -1, 1);
        assertThat(rows.rowHeaders()).containsExactly(0, 2, 2, 3);
        assertThat(rows.columnIndices()).containsExactly(0, 2, 1);
        assertThat(rows.values()).containsExactly(1.5f, -0.03f, 0.5f);
        assertThat(rows.dense()).containsExactly(1.5f, NONE, -0.03f, NONE, NONE, NONE, NONE, 0.5f, NONE);
        assertThat(rows.withColumns(4).dense()).hasSize(12).startsWith(1.5f, NONE, -0.03f, NONE, NONE);
        assertThatThrownBy(() -> rows.withColumns(2)).hasMessage("columns: 2 (expected: >= 3)");
    }

    @Test
    void libsvm_indicesFromOne_areShifted() throws IOException {
        Path file = write("1 1:7 3:9\n");

        assertThat(new RowFile(file, new LibsvmFormat(1), 0)
                        .training(Shard.WHOLE)
                        .dense())
                .containsExactly(7, NONE, 9);
        assertThat(new RowFile(file, new LibsvmFormat(0), 0)
                        .training(Shard.WHOLE)
                        .dense())
                .containsExactly(NONE, 7, NONE, 9);
    }

    @Test
    void csv_labelFirstOrLast_withMissingValues() throws IOException {
        Path file = write("1, 2.5,,nan\n0,NaN,3,4\n");

        LabelledRows first = new RowFile(file, new CsvFormat(true, false), 0).training(Shard.WHOLE);
        assertThat(first.labels()).containsExactly(1, 0);
        assertThat(first.dense()).containsExactly(2.5f, NONE, NONE, NONE, 3, 4);
        assertThat(first.rowHeaders()).containsExactly(0, 1, 3);
        assertThatThrownBy(() -> new RowFile(file, new CsvFormat(false, false), 0).training(Shard.WHOLE))
                .hasMessageContainingAll(" line 1: ", "column 4 (", "--header", "'nan'");
    }

    @Test
    void aLongFile_growsAsNeeded() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 1000; row++) {
            text.append(row % 2).append(" 0:").append(row).append(" 7:1\n");
        }
        LabelledRows rows = new RowFile(write(text.toString()), new LibsvmFormat(0), 0).training(Shard.WHOLE);
        assertThat(rows.rows()).isEqualTo(1000);
        assertThat(rows.dense()[999 * 8]).isEqualTo(999);
        assertThat(rows.rowHeaders()).hasSize(1001).endsWith(2000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            libsvm; one 0:1;              line 2: expected a label, found 'one'
            libsvm; 0:1 1:2;              line 2: expected a label, found '0:1'
            libsvm; 1 2;                  line 2: expected index:value, found '2'
            libsvm; 1 a:2;                line 2: expected index:value with an index from 0, found 'a:2'
            libsvm; 1 -1:2;               line 2: expected index:value with an index from 0, found '-1:2'
            libsvm; 1 2147483647:2;       line 2: expected index:value with an index from 0, found '2147483647:2'
            libsvm; 1 3:2 3:1;            line 2: expected an index above 3, found '3:1'
            libsvm; 1 3:2 1:1;            line 2: expected an index above 3, found '1:1'
            libsvm; 1 3:x;                line 2: expected a number for index 3, found 'x'
            libsvm; 1 3:;                 line 2: expected a number for index 3, found ''
            libsvm; 1 3:1e99;             line 2: expected a number for index 3, found '1e99'
            libsvm; 1 3:0x1p3;            line 2: expected a number for index 3, found '0x1p3'
            libsvm; 1 3:1f;               line 2: expected a number for index 3, found '1f'
            libsvm; 1 qid:3 3:1;          line 2: expected index:value (groups of rows are not supported), found 'qid:3'
            libsvm1; 1 0:2;               line 2: expected index:value with an index from 1, found '0:2'
            libsvm1; 1 2:2 2:1;           line 2: expected an index above 2, found '2:1'
            csv; 1,2;                     line 2: expected 3 values, as in the rows before, found 2
            csv; 1,2,3,4;                 line 2: expected 3 values, as in the rows before, found 4
            csv; 1,x,3;                   line 2: expected a number, nan or nothing in column 2, found 'x'
            csv; 1,Infinity,3;            line 2: expected a number, nan or nothing in column 2, found 'Infinity'
            csv; 1,2,;                    line 2: expected a label in column 3, found ''
            """)
    void badLine_isNamedWithWhatWasExpected(String form, String line, String message) throws IOException {
        Path file = write((form.equals("csv") ? "1,2,0" : "1 1:2") + "\n" + line + "\n");
        RowFormat format =
                form.equals("csv") ? new CsvFormat(false, false) : new LibsvmFormat(form.equals("libsvm") ? 0 : 1);

        assertThatThrownBy(() -> new RowFile(file, format, 0).training(Shard.WHOLE))
                .isInstanceOf(DataFileException.class)
                .hasMessage("data file " + file + " " + message);
        assertThat(new RowFile(file, format, 0).training(new Shard(0, 2)).rows())
                .as("rows of other shards are not looked into")
                .isOne();
    }

    @Test
    void fileWithoutRows_missing_orNoText_isNamed() throws IOException {
        Path empty = write("# nothing\n\n");
        assertThatThrownBy(() -> new RowFile(empty, new LibsvmFormat(0), 0).training(Shard.WHOLE))
                .isInstanceOf(DataFileException.class)
                .hasMessageContainingAll(empty + ": ", "2 lines");
        assertThatThrownBy(() -> new RowFile(write("lonely\n"), new CsvFormat(true, false), 0).training(Shard.WHOLE))
                .hasMessageContainingAll(" line 1: ", "'lonely'");
        Path missing = directory.resolve("none");
        assertThatThrownBy(() -> new RowFile(missing, CSV, 0).training(Shard.WHOLE))
                .isInstanceOf(DataFileException.class)
                .hasMessageContainingAll(missing + ": ", "--data");
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThatThrownBy(() -> new RowFile(binary, CSV, 0).training(Shard.WHOLE))
                .isInstanceOf(DataFileException.class)
                .hasMessageContaining(binary + ": ");
        assertThatThrownBy(() -> new RowFile(binary, CSV, 1)).hasMessage("holdOutEvery: 1 (expected: 0, or >= 2)");
        assertThatThrownBy(() -> new LibsvmFormat(2)).hasMessage("firstIndex: 2 (expected: 0 or 1)");
    }

    @Test
    void options_nameTheFileAndItsForm() {
        assertThat(options("--data", "x.csv")).isEqualTo(new RowFile(Path.of("x.csv"), new CsvFormat(true, false), 0));
        assertThat(options("--data=x.CSV", "--label=last", "--header", "--hold-out", "5"))
                .isEqualTo(new RowFile(Path.of("x.CSV"), new CsvFormat(false, true), 5));
        assertThat(options("--data", "x.libsvm")).isEqualTo(new RowFile(Path.of("x.libsvm"), new LibsvmFormat(0), 0));
        assertThat(options("--format", "libsvm", "--data", "x.csv", "--first-index", "1"))
                .isEqualTo(new RowFile(Path.of("x.csv"), new LibsvmFormat(1), 0));
        assertThatThrownBy(() -> options("--format", "csv"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--data: missing (expected: learn " + RowFileOptions.USAGE + ")");
        assertThatThrownBy(() -> options("--format=tsv")).hasMessage("--format: tsv (expected: csv or libsvm)");
        assertThatThrownBy(() -> options("--first-index=2")).hasMessage("--first-index: 2 (expected: 1 or 0)");
        assertThatThrownBy(() -> options("--hold-out=1")).hasMessageStartingWith("--hold-out: 1 (expected: ");
    }

    private static RowFile options(String... given) {
        Arguments arguments = new Arguments("learn", "learn " + RowFileOptions.USAGE, List.of(given));
        RowFileOptions options = new RowFileOptions();
        while (arguments.hasNext()) {
            assertThat(options.take(arguments.next(), arguments)).isTrue();
        }
        return options.build(arguments);
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("rows"), text);
    }

    private static void assertSame(LabelledRows rows, LabelledRows expected) {
        assertThat(rows.labels()).isEqualTo(expected.labels());
        assertThat(rows.rowHeaders()).isEqualTo(expected.rowHeaders());
        assertThat(rows.columnIndices()).isEqualTo(expected.columnIndices());
        assertThat(rows.values()).isEqualTo(expected.values());
        assertThat(rows.columns()).isEqualTo(expected.columns());
    }
}
