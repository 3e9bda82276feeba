/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CsvTableTest {
    @Test
    void readsTheShippedFile() {
        DataSet data = CsvTable.read(BreastCancer.FILE);

        assertThat(data.rows()).isEqualTo(569);
        assertThat(data.width()).isEqualTo(30);
        assertThat(data.features()[0]).startsWith(17.99, 10.38).endsWith(0.1189);
        assertThat(data.labels()).startsWith(0, 0);
        assertThat(Arrays.stream(data.labels()).sum()).isEqualTo(357);
    }

    @Test
    void endsAtTrailingBlankLines() {
        assertThat(parse("2,1,a,b|1,0|2,1||").rows()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            ``;                        line 1: expected a header: rows,features,class 0,class 1, found an empty file
            2,1,a;                     line 1: expected a header of 4 values: rows,features,class 0,class 1, found 3 values
            two,1,a,b|1,0|2,1;         line 1: expected a whole number >= 2, found 'two'
            1,1,a,b|1,0;               line 1: expected a whole number >= 2, found '1'
            2,0,a,b|0|1;               line 1: expected a whole number >= 1, found '0'
            2,2,a,b|1,2,0|1,2;         line 3: expected 3 numbers, found 2
            2,2,a,b|1,2,0|1,2,3,0;     line 3: expected 3 numbers, found 4
            3,1,a,b|1,0||1,1;          line 3: expected 2 numbers, found 0
            2,2,a,b|1,2,0|1,x,0;       line 3: expected a number in column 2, found 'x'
            2,2,a,b|1,2,0|NaN,1,0;     line 3: expected a number in column 1, found 'NaN'
            2,2,a,b|1,2,0|1,,0;        line 3: expected a number in column 2, found ''
            2,2,a,b|1,2,0|1,2,2;       line 3: expected class 0 or 1 in the last column, found '2'
            3,1,a,b|1,0|2,1;           line 4: expected 3 rows, as in line 1, found 2 rows
            2,1,a,b|1,0|2,1|3,1;       line 4: expected 2 rows, as in line 1, found 3 rows
            """)
    void namesFileLineAndExpectation(String text, String message) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(DataFileException.class)
                .hasMessage("data file t.csv " + message);
    }

    @Test
    void namesAFileThatIsMissingOrNoText(@TempDir Path directory) throws Exception {
        Path missing = directory.resolve("none.csv");
        assertThatThrownBy(() -> CsvTable.read(missing))
                .isInstanceOf(DataFileException.class)
                .hasMessageContainingAll(missing + ": ", "--data");
        assertThatThrownBy(() -> CsvTable.read(directory))
                .isInstanceOf(DataFileException.class)
                .hasMessageContaining(directory + ": ");
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThatThrownBy(() -> CsvTable.read(binary))
                .isInstanceOf(DataFileException.class)
                .hasMessageContaining(binary + ": ");
    }

    private static DataSet parse(String text) {
        return CsvTable.parse(
                "t.csv",
                text.lines().flatMap(all -> Arrays.stream(all.split("\\|", -1))).toList());
    }
}
