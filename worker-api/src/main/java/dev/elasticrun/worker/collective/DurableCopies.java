/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every n-th checkpoint in a directory that outlives the run: {@code <version>.global} by rank 0, and {@code
 * <version>.local.<rank>} by each rank that has a local state. Files get their names when they are whole and on the disk;
 * the two newest versions stay. User thread, but for the removal of old ones.
 */
final class DurableCopies {
    private static final System.Logger LOGGER = System.getLogger(DurableCopies.class.getName());
    private static final Pattern NAME = Pattern.compile("([0-9]{12,19})\\.(global|local\\.[0-9]+)");
    private static final int KEPT = 2;

    private final Path directory;
    private final int every;
    private final CheckpointWriter writer;

    DurableCopies(Path directory, int every, CheckpointWriter writer) {
        this.directory = directory;
        this.every = every;
        this.writer = writer;
    }

    /** Has the checkpoint written, if its turn has come. A lazy one is written down then, by rank 0. */
    void keep(Checkpoint checkpoint, int rank, ContentPool pool) {
        CheckpointId id = checkpoint.id();
        if (id.version() % every != 0) {
            return;
        }
        if (rank == 0) {
            write(checkpoint, "durable", path(id.version(), "global"), checkpoint.global(pool), this::removeOld);
        }
        checkpoint.locals().stream()
                .filter(part -> part.keeper() == checkpoint.place() && part.isOwn())
                .forEach(part -> write(
                        checkpoint,
                        "durable local",
                        path(id.version(), "local." + checkpoint.place()),
                        part,
                        () -> {}));
    }

    /** The newest global state that is whole; what is damaged is said, and the next older one taken. */
    Optional<CheckpointFile> newest(ContentPool pool) {
        List<Path> files = new ArrayList<>(files());
        files.removeIf(file -> !file.getFileName().toString().endsWith(".global"));
        files.sort(Comparator.comparingLong(DurableCopies::version).reversed());
        return files.stream()
                .map(file -> read(file, pool))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** The local state of a rank, of the checkpoint whose global state has this digest. */
    Optional<Part> local(long version, long digest, int owner, ContentPool pool) {
        Path file = path(version, "local." + owner);
        Optional<CheckpointFile> found = Files.exists(file) ? read(file, pool) : Optional.empty();
        return found.filter(local -> local.id().digest() == digest)
                .map(local -> local.parts().get(0));
    }

    private void write(Checkpoint checkpoint, String slot, Path path, Part part, Runnable then) {
        part.content().retain();
        CheckpointFile file = new CheckpointFile(
                checkpoint.id(), checkpoint.worldSize(), checkpoint.place(), checkpoint.keeperWorld(), List.of(part));
        writer.write(new CheckpointWriter.Job(slot, path, file, true, then));
    }

    private static Optional<CheckpointFile> read(Path file, ContentPool pool) {
        try {
            return Optional.of(CheckpointFile.read(file, pool));
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, file + " ignored: " + e.getMessage());
            return Optional.empty();
        }
    }

    private void removeOld() {
        List<Path> files = files();
        List<Long> versions = files.stream()
                .filter(file -> file.getFileName().toString().endsWith(".global"))
                .map(DurableCopies::version)
                .sorted(Comparator.reverseOrder())
                .toList();
        if (versions.size() <= KEPT) {
            return;
        }
        long oldest = versions.get(KEPT - 1);
        for (Path file : files) {
            try {
                if (version(file) < oldest) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(
                            file -> NAME.matcher(file.getFileName().toString()).matches())
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "cannot list " + directory + ": " + e);
            return List.of();
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
