/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.CheckpointSpace;
import dev.elasticrun.worker.contract.ContentName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files in which a worker has contents outside of the heap, in the node's directories: those without a name; {@code
 * <version>.<number>.staged}, which local rank 0 writes while a checkpoint is agreed on and which becomes the node's file; and
 * those of local states, of parity and of copies of others' ({@link LocalFile}). Each is in the first directory in which it fits; it
 * moves on while it grows. Any thread.
 */
public final class ContentFiles {
    private static final System.Logger LOGGER = System.getLogger(ContentFiles.class.getName());
    private static final String STAGED = ".staged";
    private static final Pattern STAGED_NAME = Pattern.compile("[0-9]{1,19}\\.[0-9]+-[0-9]+" + Pattern.quote(STAGED));

    private final List<Path> directories;
    private final AtomicLong made = new AtomicLong();
    private final String maker = Long.toHexString(new SecureRandom().nextLong());
    // Guarded by this.
    private final Map<Path, CheckpointSpace> spaces = new HashMap<>();
    private final Set<Path> shortOfSpace = new HashSet<>();

    /** @param directories the best first */
    public ContentFiles(List<Path> directories) {
        this.directories = List.copyOf(directories);
    }

    List<Path> directories() {
        return directories;
    }

    /** A file that no other process can open. */
    GrowingFile unnamed(long expected) throws IOException {
        return new GrowingFile(this, number() + CheckpointFile.TEMPORARY, expected, true);
    }

    /** A file in which the other workers of the node find the checkpoint of that version. Deletes those of other versions. */
    GrowingFile staged(long version, long expected) throws IOException {
        for (Path file : allStaged()) {
            Files.deleteIfExists(file);
        }
        return new GrowingFile(this, version + "." + number() + STAGED, expected, false);
    }

    /** A file for a local state of that version, or for what protects one. */
    GrowingFile local(long version, long expected) throws IOException {
        String name = new ContentName(version, maker, made.incrementAndGet()).toString();
        return new GrowingFile(this, name, expected, false);
    }

    /** The file of that name; empty = it is in no directory. */
    Optional<Path> find(ContentName name) {
        return directories.stream()
                .map(directory -> directory.resolve(name.toString()))
                .filter(Files::exists)
                .findFirst();
    }

    /** Differs from those of all processes of the node, and from those of calls that came before. */
    private String number() {
        return ProcessHandle.current().pid() + "-" + made.incrementAndGet();
    }

    /** The staged file of that checkpoint; empty = there is none that this process can read. */
    Optional<CheckpointFile> findStaged(CheckpointId id, ContentPool pool) {
        for (Path file : allStaged()) {
            try {
                CheckpointFile found = CheckpointFile.openStreamed(file, pool);
                if (found.id().equals(id)) {
                    return Optional.of(found);
                }
                found.release();
            } catch (IOException e) {
                LOGGER.log(Level.WARNING, file + " ignored: " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    static boolean isStaged(Path file) {
        return STAGED_NAME.matcher(String.valueOf(file.getFileName())).matches();
    }

    /** Of a directory of the node. */
    synchronized CheckpointSpace space(Path directory) throws IOException {
        CheckpointSpace space = spaces.get(directory);
        if (space == null) {
            space = CheckpointSpace.of(directory);
            spaces.put(directory, space);
        }
        space.makeDirectory();
        return space;
    }

    /** A file does not fit into a directory and goes to the next one. */
    synchronized void isShort(Path directory, IOException why) {
        int next = directories.indexOf(directory) + 1;
        if (next < directories.size() && shortOfSpace.add(directory)) {
            LOGGER.log(
                    Level.INFO,
                    "state goes to files in " + Objects.requireNonNull(directories.get(next))
                            + " instead of the first place: " + why.getMessage());
        }
    }

    private List<Path> allStaged() {
        List<Path> found = new ArrayList<>();
        for (Path directory : directories) {
            if (Files.isDirectory(directory)) {
                try (Stream<Path> all = Files.list(directory)) {
                    all.filter(ContentFiles::isStaged).forEach(found::add);
                } catch (IOException | UncheckedIOException e) {
                    LOGGER.log(Level.WARNING, "cannot list " + directory + ": " + e);
                }
            }
        }
        return found;
    }
}
