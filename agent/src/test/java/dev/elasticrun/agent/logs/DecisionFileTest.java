/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.decisions.DecisionLine;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.plan.PlannerFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DecisionFileTest {
    private static final int LINES = 200;

    @TempDir
    private Path directory;

    private final PlannerCall call = PlannerFixture.soft(1, 1, 3).call();

    @Test
    void write_manyDecisions_keepsTheNewestWithinTheBound() throws IOException {
        Path path = directory.resolve(LogNames.DECISIONS);
        int maxBytes = 8 * line(0).json().length();
        try (DecisionFile file = new DecisionFile(path, maxBytes)) {
            for (int i = 0; i < LINES; i++) {
                file.write(line(i));
            }
        }

        List<Long> incidents = incidents(path);
        assertThat(incidents)
                .hasSizeBetween(3 * 8, LINES / 2)
                .isSorted()
                .endsWith((long) LINES - 1)
                .doesNotHaveDuplicates();
        // Each part ends with the line that fills it, and no line is longer than a part.
        assertThat(bytes()).isLessThanOrEqualTo((EventTail.PARTS + 1) * 2L * maxBytes);
        assertThat((EventTail.PARTS + 1) * 2L * DecisionFile.PART_BYTES).isEqualTo(32L << 20);
    }

    @Test
    void write_lineLongerThanAPart_isLeftOut() throws IOException {
        Path path = directory.resolve(LogNames.DECISIONS);
        try (DecisionFile file = new DecisionFile(path, line(0).json().length() / 2)) {
            file.write(line(0));
        }

        assertThat(path).doesNotExist();
    }

    private DecisionLine line(long incident) {
        return new DecisionLine(new DecisionLine.Stamp("run", "i", "a", incident, Instant.EPOCH), call);
    }

    private static List<Long> incidents(Path path) throws IOException {
        List<Long> incidents = new ArrayList<>();
        EventTail tail = new EventTail(path, 0);
        for (byte[] lines = tail.next(); lines.length > 0; lines = tail.next()) {
            new String(lines, StandardCharsets.UTF_8)
                    .lines()
                    .map(DecisionLine::stampOf)
                    .flatMap(Optional::stream)
                    .forEach(stamp -> incidents.add(stamp.incident()));
        }
        return incidents;
    }

    private long bytes() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }
}
