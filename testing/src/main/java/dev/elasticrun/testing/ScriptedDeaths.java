/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Ends this worker at the instants that its environment names, as Rabit's mock engine does. Each death happens once in a
 * run; a file of its name is the record of it. The rank of a worker is the first one that its process had, and its life
 * how many processes its slot had before it, whatever the restarts of others. Found by the worker API in the worker's
 * class path; programs do not call it.
 */
public final class ScriptedDeaths implements FaultInjector {
    /** Variable: deaths, separated by commas, each as {@link Death#toString} has it. */
    public static final String DEATHS = "ELASTICRUN_TEST_DEATHS";
    /** Variable: an existing directory for the records, the same for all workers. */
    public static final String DIRECTORY = "ELASTICRUN_TEST_DEATHS_DIRECTORY";

    private static final String DIED = "died ";

    private final List<Death> deaths;
    private final Path directory;
    private final int life;
    private final AtomicInteger place = new AtomicInteger(-1);

    /**
     * For the service loader.
     *
     * @throws IllegalArgumentException when the environment has a death that cannot be understood
     */
    public ScriptedDeaths() {
        String script = Optional.ofNullable(System.getenv(DEATHS)).orElse("");
        deaths = script.isEmpty()
                ? List.of()
                : Arrays.stream(script.split(",", -1)).map(Death::parse).toList();
        directory = Path.of(Optional.ofNullable(System.getenv(DIRECTORY)).orElse(""));
        life = deaths.isEmpty() ? 0 : countLife();
    }

    /**
     * Deaths that have happened so far, in no order, each as the script has it.
     *
     * @param directory of the records
     */
    public static List<String> happened(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(DIED))
                    .map(name -> name.substring(DIED.length()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the records of deaths in " + directory, e);
        }
    }

    /** What a worker needs in its class path to die as scripted: the jar or directory of this class. */
    public static Path classPath() {
        try {
            return Path.of(ScriptedDeaths.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("cannot find the classes of elastic-run-testing", e);
        }
    }

    @Override
    public void at(Instant instant, int rank, long version, long seq) {
        // The rehearsal of the first round has ranks, too.
        if (deaths.isEmpty() || Thread.currentThread().getName().startsWith("peer-warm-up")) {
            return;
        }
        place.compareAndSet(-1, rank);
        for (Death death : deaths) {
            if (death.isAt(instant, place.get(), version, seq, life) && mark(DIED + death)) {
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
            throw new UncheckedIOException("cannot record " + name + " in " + directory, e);
        }
    }
}
