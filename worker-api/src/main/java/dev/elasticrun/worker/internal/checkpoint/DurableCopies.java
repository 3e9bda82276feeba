/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointHeader;
import dev.elasticrun.worker.contract.CheckpointId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every n-th checkpoint in a directory that outlives the run: {@code <version>.global} by rank 0, and {@code
 * <version>.local.<rank>} by each rank that has a local state. Files get their names when they are whole and on the
 * disk; the version just written and those before it that are kept stay. Newer ones are of a past from which the run
 * did not continue: they get the suffix {@code .aside} and are never read, and those that got it before are removed
 * then. User thread, but for the removal of old ones.
 */
public final class DurableCopies {
    private static final System.Logger LOGGER = System.getLogger(DurableCopies.class.getName());
    private static final Pattern NAME = Pattern.compile("([0-9]{12,19})\\.(global|local\\.[0-9]+)");
    private static final String ASIDE = ".aside";
    private static final Pattern ASIDE_NAME = Pattern.compile(NAME.pattern() + Pattern.quote(ASIDE));

    private final Path directory;
    private final int every;
    private final CheckpointWriter writer;
    private final CheckpointRetention retention;

    DurableCopies(Path directory, int every, CheckpointWriter writer, CheckpointRetention retention) {
        this.directory = directory;
        this.every = every;
        this.writer = writer;
        this.retention = retention;
    }

    /** Has the checkpoint written, if its turn has come. A lazy one is written down then, by rank 0. */
    public void keep(Checkpoint checkpoint, int rank, ContentPool pool) {
        CheckpointId id = checkpoint.id();
        if (id.version() % every != 0) {
            return;
        }
        if (rank == 0) {
            write(checkpoint, "durable", path(id.version(), "global"), checkpoint.global(pool), () -> removeOld(id));
        }
        checkpoint
                .ownLocal()
                .ifPresent(part -> write(
                        checkpoint,
                        "durable local",
                        path(id.version(), "local." + checkpoint.place()),
                        part,
                        () -> {}));
    }

    /** The newest global state that is whole; a damaged one is logged, and the next older one read. */
    public Optional<CheckpointFile> newest(ContentPool pool) {
        return globals().map(file -> read(file, pool)).flatMap(Optional::stream).findFirst();
    }

    /** The newest version that has a name here, whole or not; 0 = there is none. */
    public long newestName() {
        return globals().findFirst().map(DurableCopies::version).orElse(0L);
    }

    /** The local state of a rank, of the checkpoint whose global state has this digest. */
    public Optional<StatePart> local(long version, long digest, int owner, ContentPool pool) {
        Path file = path(version, "local." + owner);
        Optional<CheckpointFile> found = Files.exists(file) ? read(file, pool) : Optional.empty();
        return found.filter(local -> local.id().digest() == digest)
                .map(local -> local.parts().get(0));
    }

    private void write(Checkpoint checkpoint, String slot, Path path, StatePart part, Runnable then) {
        part.content().retain();
        CheckpointFile file = CheckpointFile.of(checkpoint, List.of(part));
        writer.write(new CheckpointWriter.Job(slot, List.of(path), file, true, then));
    }

    private static Optional<CheckpointFile> read(Path file, ContentPool pool) {
        try {
            return Optional.of(CheckpointFile.read(file, pool));
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, file + " ignored: " + e.getMessage());
            return Optional.empty();
        }
    }

    // Only rank 0 writes global states, one after the other: a newer one is of a past from which the run did not
    // continue, or by a later rank 0, while this one was slow.
    private void removeOld(CheckpointId id) {
        long written = id.version();
        List<Path> globals = globals().toList();
        List<Long> newer = globals.stream()
                .filter(file -> version(file) > written && !isOfLaterWorld(file, id))
                .map(DurableCopies::version)
                .toList();
        List<Long> upToWritten = globals.stream()
                .map(DurableCopies::version)
                .filter(version -> version <= written)
                .toList();
        long oldest = retention.oldest(upToWritten);
        try {
            for (Path file : files()) {
                if (version(file) < oldest) {
                    Files.deleteIfExists(file);
                    Files.deleteIfExists(file.resolveSibling(file.getFileName() + CheckpointFile.TEMPORARY));
                }
            }
            setAside(newer, written);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was set aside before goes only when all of this is: the newest of it last, in case that this process ends. */
    private void setAside(List<Long> versions, long written) throws IOException {
        List<Path> ofThese = files().stream()
                .filter(file -> versions.contains(version(file)))
                .sorted(Comparator.comparingLong(DurableCopies::version))
                .toList();
        if (ofThese.isEmpty()) {
            return;
        }
        Set<Path> before = new HashSet<>(list(ASIDE_NAME));
        for (Path file : ofThese) {
            LOGGER.log(
                    Level.WARNING,
                    file + " gets the suffix " + ASIDE + ": the run did not go on from it, and has now written version "
                            + written);
            Path aside = file.resolveSibling(file.getFileName() + ASIDE);
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            before.remove(aside);
        }
        for (Path file : before) {
            LOGGER.log(Level.INFO, file + " is removed: others were set aside after it");
            Files.deleteIfExists(file);
        }
    }

    private static boolean isOfLaterWorld(Path file, CheckpointId than) {
        try {
            CheckpointId id = CheckpointHeader.readId(file);
            return id.incarnation().equals(than.incarnation()) && id.world() > than.world();
        } catch (IOException e) {
            return false;
        }
    }

    /** Newest first. */
    private Stream<Path> globals() {
        return files().stream()
                .filter(file -> file.getFileName().toString().endsWith(".global"))
                .sorted(Comparator.comparingLong(DurableCopies::version).reversed());
    }

    /** Throws UncheckedIOException: what cannot be looked at is not nothing. */
    private List<Path> files() {
        return list(NAME);
    }

    private List<Path> list(Pattern name) {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(
                            file -> name.matcher(file.getFileName().toString()).matches())
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory + ": " + e, e);
        }
    }

    private Path path(long version, String kind) {
        return directory.resolve(String.format("%012d.%s", version, kind));
    }

    private static long version(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Long.parseLong(name.group(1)) : 0;
    }
}
