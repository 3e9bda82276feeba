/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The checkpoint files of a node as its agent sees them: whole files that its workers wrote, or that it received from another
 * node, and those with a single content ({@link ContentName}) that these refer to. Contents are not decoded here; a worker that
 * reads a file verifies its checksums. Safe for use by any thread.
 */
public final class CheckpointFiles {
    /**
     * Versions grow with worlds, unless state was lost: then the run began again in a later world, and what an old node
     * still has from before is another history, whatever its version.
     */
    public static final Comparator<CheckpointId> NEWEST = Comparator.comparingLong(CheckpointId::world)
            .thenComparingLong(CheckpointId::version)
            .thenComparingLong(CheckpointId::digest);

    private static final Pattern NAME = Pattern.compile("[0-9]{1,4}(\\.[0-9]{1,5})?");

    private final List<Path> directories;
    private final AtomicLong received = new AtomicLong();

    /** @param directories of the node, the best first */
    public CheckpointFiles(List<Path> directories) {
        this.directories = List.copyOf(directories);
    }

    /**
     * One whole file.
     *
     * @param name as on every node: slot, or slot and local rank, or that of a content
     */
    public record Held(String name, CheckpointId id, Path path) {}

    /**
     * All whole files of the incarnation; files that cannot be read are left out. Contents come before the files that refer to
     * them, and only those of checkpoints of which there is such a file: others are being written, or are left over.
     */
    public List<Held> held(String incarnation) {
        List<Held> slots = slots(incarnation);
        Set<CheckpointId> known = slots.stream().map(Held::id).collect(Collectors.toSet());
        List<Held> held = new ArrayList<>();
        for (Path file : contents()) {
            read(file)
                    .filter(known::contains)
                    .ifPresent(id -> held.add(new Held(String.valueOf(file.getFileName()), id, file)));
        }
        held.addAll(slots);
        return held;
    }

    /** The newest checkpoint of the incarnation of which there is a file. */
    public Optional<CheckpointId> newest(String incarnation) {
        return slots(incarnation).stream().map(Held::id).max(NEWEST);
    }

    /** Deletes contents up to that version, but for those of versions of which there are files that may refer to them. */
    public void removeContents(long upTo) {
        Set<Long> kept = files(CheckpointFiles::isSlot)
                .flatMap(file -> read(file).stream())
                .map(CheckpointId::version)
                .collect(Collectors.toSet());
        for (Path file : contents()) {
            long version = ContentName.of(file).orElseThrow().version();
            if (version <= upTo && !kept.contains(version)) {
                delete(file);
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // It takes space until the next call.
        }
    }

    private List<Held> slots(String incarnation) {
        List<Held> slots = new ArrayList<>();
        files(CheckpointFiles::isSlot).forEach(file -> read(file)
                .filter(id -> id.incarnation().equals(incarnation))
                .ifPresent(id -> slots.add(new Held(String.valueOf(file.getFileName()), id, file))));
        return slots;
    }

    private List<Path> contents() {
        return files(file -> ContentName.of(file).isPresent()).toList();
    }

    private Stream<Path> files(Predicate<Path> isWanted) {
        return directories.stream()
                .flatMap(directory -> filesIn(directory).stream())
                .filter(isWanted);
    }

    private static boolean isSlot(Path file) {
        return NAME.matcher(String.valueOf(file.getFileName())).matches();
    }

    /**
     * Receives a file in the first directory in which it fits. The file gets its name when all bytes are there; until then,
     * and after a failure, the file of that name is what it was. Several can arrive at once, also of one name.
     *
     * @param name as {@link Held#name}
     * @param length bytes of the whole file
     * @throws IOException when it fits nowhere, and for a name that is none
     */
    public Incoming receive(String name, long length) throws IOException {
        if (!NAME.matcher(name).matches() && ContentName.parse(name).isEmpty()) {
            throw new IOException(
                    "name of a checkpoint file: " + name + " (expected: slot, slot.localRank, or that of a content)");
        }
        IOException lastFailure = new IOException("no directory for checkpoint files");
        for (Path directory : directories) {
            try {
                CheckpointSpace.of(directory).require(length);
                return new Incoming(directory.resolve(name), received.incrementAndGet(), length);
            } catch (IOException e) {
                lastFailure = e;
            }
        }
        throw lastFailure;
    }

    /** A file on its way. One thread at a time. */
    public static final class Incoming implements AutoCloseable {

        private final Path file;
        private final Path temporary;
        private final long length;
        private final FileChannel out;

        private Incoming(Path file, long number, long length) throws IOException {
            this.file = file;
            this.temporary = file.resolveSibling(file.getFileName() + "." + number + ".fetched.tmp");
            this.length = length;
            Files.deleteIfExists(temporary);
            this.out = FileChannel.open(
                    temporary,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    CheckpointSpace.PRIVATE_FILE);
        }

        /** The next bytes. */
        public void write(ByteBuffer bytes) throws IOException {
            if (out.position() + bytes.remaining() > length) {
                throw new IOException("checkpoint file " + file.getFileName() + ": more than " + length + " bytes");
            }
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }

        /**
         * All bytes are there: the file gets its name, unless that of the same name is newer by now.
         *
         * @return whether it did
         */
        public boolean complete() throws IOException {
            if (out.position() != length) {
                throw new IOException("checkpoint file " + file.getFileName() + ": " + out.position() + " of " + length
                        + " bytes arrived");
            }
            out.close();
            // A header that cannot be read must not replace what is there.
            CheckpointId arrived = CheckpointHeader.readId(temporary);
            boolean isNews = read(file)
                    .filter(id -> id.incarnation().equals(arrived.incarnation()))
                    .filter(id -> NEWEST.compare(id, arrived) > 0)
                    .isEmpty();
            if (isNews) {
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
            return isNews;
        }

        /** Deletes what has arrived, unless it is complete. */
        @Override
        public void close() throws IOException {
            out.close();
            Files.deleteIfExists(temporary);
        }
    }

    private static List<Path> filesIn(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private static Optional<CheckpointId> read(Path file) {
        try {
            return Optional.of(CheckpointHeader.readId(file));
        } catch (IOException e) {
            // Replaced meanwhile, or damaged: a worker that reads it logs why.
            return Optional.empty();
        }
    }
}
