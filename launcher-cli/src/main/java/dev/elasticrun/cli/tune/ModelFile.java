/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.tune.study.StudyConfig;
import dev.elasticrun.tune.study.TrialProgram;
import dev.elasticrun.tune.trial.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where trials leave their models.
 *
 * @param template a path, with places for parameters as in arguments of the program; empty = the study does not name it
 */
record ModelFile(String template) {

    /** A line with the file of a trial, and whether it can be seen here; empty = the study, or the trial, has none. */
    String text(StudyConfig study, Optional<Trial> trial) {
        if (template.isEmpty() || trial.isEmpty()) {
            return "";
        }
        Path file = Path.of(TrialProgram.filled(
                template, study.name(), trial.get().number(), trial.get().parameters()));
        return "model: " + file + ", " + size(file) + "\n";
    }

    private static String size(Path file) {
        try {
            return Files.size(file) + " bytes";
        } catch (IOException e) {
            return "not on this host";
        }
    }
}
