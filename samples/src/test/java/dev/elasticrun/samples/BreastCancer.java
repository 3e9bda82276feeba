/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.samples.testing.Project;
import java.nio.file.Path;

/** The shipped data. */
final class BreastCancer {
    static final Path FILE = Project.ROOT.resolve("samples/data/breast-cancer.csv");

    private BreastCancer() {}

    static DataSet.Split split() {
        return CsvTable.read(FILE).split();
    }
}
