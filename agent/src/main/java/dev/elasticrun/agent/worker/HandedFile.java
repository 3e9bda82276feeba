/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.directory.SmallFile;
import dev.elasticrun.rendezvous.record.HandedResult;
import dev.elasticrun.worker.contract.ResultFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads what a worker that has ended left in its {@link ResultFile}. */
final class HandedFile {
    private HandedFile() {}

    /** Empty if it handed over nothing. */
    static Optional<HandedResult> read(Path file, int attempt) {
        try {
            return Optional.of(HandedResult.of(attempt, SmallFile.read(file, ResultFile.MAX_BYTES)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(HandedResult.refused(attempt, e.getMessage() == null ? e.toString() : e.getMessage()));
        }
    }
}
