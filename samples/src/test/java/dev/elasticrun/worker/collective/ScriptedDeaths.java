/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ends this worker at the instants that its environment names, as Rabit's mock engine does: {@code
 * instant:rank:version:seq:life} separated by commas, -1 = any. The rank is the first one that the process had. Each
 * happens once in a run; a file of its name says that it has. A worker's life is how many processes its slot had before
 * it, whatever the restarts of others.
 */
public final class ScriptedDeaths implements FaultInjector {
    public static final String DEATHS = "TEST_DEATHS";
    public static final String DIRECTORY = "TEST_DEATHS_DIRECTORY";

    private final List<Death> deaths;
    private final Path directory;
    private final int life;
    private final AtomicInteger place = new AtomicInteger(-1);

    private record Death(String text, Instant instant, int rank, long version, long seq, int life) {
        static Death parse(String text) {
            String[] parts = text.split(":", -1);
            return new Death(
                    text,
                    Instant.valueOf(parts[0]),
                    Integer.parseInt(parts[1]),
                    Long.parseLong(parts[2]),
                    Long.parseLong(parts[3]),
                    Integer.parseInt(parts[4]));
        }

        boolean isAt(Instant now, int atRank, long atVersion, long atSeq, int inLife) {
            return instant == now
                    && (rank < 0 || rank == atRank)
                    && (version < 0 || version == atVersion)
                    && (seq < 0 || seq == atSeq)
                    && (life < 0 || life == inLife);
        }
    }

    /** For the service loader. */
    public ScriptedDeaths() throws IOException {
        String script = Optional.ofNullable(System.getenv(DEATHS)).orElse("");
        deaths = script.isEmpty()
                ? List.of()
                : Arrays.stream(script.split(",", -1)).map(Death::parse).toList();
        directory = Path.of(Optional.ofNullable(System.getenv(DIRECTORY)).orElse(""));
        life = deaths.isEmpty() ? 0 : countLife();
    }

    @Override
    public void at(Instant instant, int rank, long version, long seq) {
        // The rehearsal of the first round has ranks, too.
        if (deaths.isEmpty() || Thread.currentThread().getName().startsWith("peer-warm-up")) {
            return;
        }
        place.compareAndSet(-1, rank);
        for (Death death : deaths) {
            if (death.isAt(instant, place.get(), version, seq, life) && mark("died " + death.text())) {
                Runtime.getRuntime().halt(1);
            }
        }
    }

    private int countLife() {
        Path channel = Path.of(System.getenv(WorkerEnv.CHANNEL_DIR));
        String slot = channel.getFileName().toString().replaceAll("\\..*", "");
        Path node = new ChannelLayout(channel).nodeDirectory().getFileName();
        int lives = 0;
        while (!mark("life " + node + " " + slot + " " + lives)) {
            lives++;
        }
        return lives;
    }

    /** False = there already. */
    private boolean mark(String name) {
        try {
            Files.createFile(directory.resolve(name));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
