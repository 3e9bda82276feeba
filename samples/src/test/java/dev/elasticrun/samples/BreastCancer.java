/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.nio.file.Files;
import java.nio.file.Path;

/** The shipped data, found from the module and from the root of the project. */
final class BreastCancer {
    static final Path FILE = file();

    private BreastCancer() {}

    static DataSet.Split split() {
        return CsvTable.read(FILE).split();
    }

    private static Path file() {
        Path inModule = Path.of("data", "breast-cancer.csv");
        return Files.exists(inModule) ? inModule : Path.of("samples").resolve(inModule);
    }
}
