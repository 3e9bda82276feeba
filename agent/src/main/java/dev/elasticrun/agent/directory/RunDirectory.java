/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's directory {@code <base>/elastic-run-<uid>/<incarnation>/<nodeId>}: only the user can read it, and it is
 * locked as long as the agent lives. Its agent removes it, or its guard, or the next agent of the user that finds it
 * unlocked. Called by the agent's loop: the calls are short but reach the file system.
 */
public final class RunDirectory implements Closeable {
    static final long LEAST_SPACE = 64L << 20;
    private static final long SPACE_PER_WORKER = 3L << 20;
    private static final Set<Path> FOREIGN = ConcurrentHashMap.newKeySet();

    /** Events, peers' addresses and channels of a few hundred workers, a page each. */
    private static final int BALLAST = 1 << 20;

    private static final int MOST_KEY = 1 << 20;
    private static final String RUN_FILE = "run.json";
    private static final String SERVING_FILE = "serving.json";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,200}");
    // The limit for other processes that look for leftovers and hold the lock, or remove an empty parent.
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Path path;
    private final DirectoryLock lock;
    private final List<String> notices;

    private RunDirectory(Path path, DirectoryLock lock, List<String> notices) {
        this.path = path;
        this.lock = lock;
        this.notices = List.copyOf(notices);
    }

    /**
     * Makes and locks the directory in shared memory, else in {@code $TMPDIR} or {@code /tmp}.
     *
     * @param workers how many will have their channels there
     * @throws IOException with each place and why not there; or with the process that has this node's directory already
     */
    public static RunDirectory create(String incarnation, String nodeId, int workers) throws IOException {
        return create(RunDirectoryBase.candidates(), leastSpace(workers), incarnation, nodeId);
    }

    /** Each worker has an area of a megabyte for exchange, events and messages; a restarted one has its own. */
    static long leastSpace(int workers) {
        return Math.max(LEAST_SPACE, workers * SPACE_PER_WORKER);
    }

    public static RunDirectory create(List<Path> bases, long leastSpace, String incarnation, String nodeId)
            throws IOException {
        requireName("incarnation", incarnation);
        requireName("nodeId", nodeId);
        List<String> notices = new ArrayList<>();
        for (Path base : bases) {
            try {
                RunDirectoryBase.check(base, leastSpace);
                return createIn(base, incarnation, nodeId, notices);
            } catch (DirectoryInUseException e) {
                // In another place there would be two agents of one name.
                throw e.named();
            } catch (IOException e) {
                notices.add("run directory not in " + base + ": " + e.getMessage());
            }
        }
        throw new IOException("cannot make a run directory: " + String.join("; ", notices));
    }

    private static RunDirectory createIn(Path base, String incarnation, String nodeId, List<String> notices)
            throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                Path owned = RunDirectoryBase.ownedBy(base);
                Path path = owned.resolve(incarnation).resolve(nodeId);
                Files.createDirectories(path, PrivateFiles.DIRECTORY);
                DirectoryLock lock = DirectoryLock.acquire(path);
                RunDirectory created = new RunDirectory(path, lock, notices);
                StaleRunDirectories.remove(owned);
                return created;
            } catch (AccessDeniedException e) {
                throw e;
            } catch (IOException e) {
                // Another agent may have removed an empty parent, or taken the directory for a leftover, in between.
                if (System.nanoTime() - deadline >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /**
     * Directories of live agents of this user that have written {@code run.json}, in the order of their names. What
     * another user could have put there is not looked at.
     */
    public static List<Path> find() throws IOException {
        return find(RunDirectoryBase.candidates(), RunDirectoryBase.userId());
    }

    static List<Path> find(List<Path> bases, int user) throws IOException {
        return holding(RUN_FILE, bases, user);
    }

    /** As {@link #find}: what live agents have written by {@link #writeStoreFile}, whether they have joined or not. */
    public static List<Path> findStoreFiles() throws IOException {
        return holding(SERVING_FILE, RunDirectoryBase.candidates(), RunDirectoryBase.userId()).stream()
                .map(directory -> directory.resolve(SERVING_FILE))
                .toList();
    }

    private static List<Path> holding(String file, List<Path> bases, int user) throws IOException {
        List<Path> live = new ArrayList<>();
        for (Path base : bases) {
            Path owned = RunDirectoryBase.nameIn(base);
            if (!Files.exists(owned, LinkOption.NOFOLLOW_LINKS)) {
                continue;
            }
            Optional<String> objection = OwnDirectory.objection(owned, user);
            if (objection.isPresent()) {
                foreign(owned, objection.get());
                continue;
            }
            for (Path directory : NodeDirectories.in(owned)) {
                if (Files.isRegularFile(directory.resolve(file), LinkOption.NOFOLLOW_LINKS)
                        && DirectoryLock.isHeld(directory)) {
                    live.add(directory);
                }
            }
        }
        return live;
    }

    // Logged once: agents search for run directories many times a second.
    private static void foreign(Path directory, String objection) {
        if (FOREIGN.add(directory)) {
            log().warn("{} {}: agents in there are not looked at", directory, objection);
        }
    }

    /** Number of the user that this process runs as. */
    public static int uid() {
        try {
            return RunDirectoryBase.userId();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read who this process runs as", e);
        }
    }

    public Path path() {
        return path;
    }

    /** User-readable reasons why the directory is not in its usual place; empty when it is. */
    public List<String> notices() {
        return notices;
    }

    /** Takes room to be given up when the file system is full. Call once. */
    public Ballast fillBallast() {
        return Ballast.fill(path.resolve("ballast"), BALLAST);
    }

    /** Makes the channel directory of an attempt of a slot. */
    public ChannelLayout layout(int slot, int attempt) throws IOException {
        ChannelLayout layout = ChannelLayout.of(path, slot, attempt);
        Set<Path> directories = new LinkedHashSet<>(List.of(layout.events(), layout.up(), layout.temporary()));
        for (Path directory : directories) {
            Files.createDirectories(directory, PrivateFiles.DIRECTORY);
        }
        return layout;
    }

    /** Removes the channel directory of an attempt whose processes are gone. */
    public void discard(int slot, int attempt) throws IOException {
        PrivateFiles.deleteTree(ChannelLayout.of(path, slot, attempt).channelDirectory());
    }

    /** As {@link #discard}, in the background. */
    public void discardLater(int slot, int attempt) {
        CompletableFuture.runAsync(() -> {
            try {
                discard(slot, attempt);
            } catch (IOException e) {
                log().warn("the channel of worker {} attempt {} cannot be removed yet", slot, attempt, e);
            }
        });
    }

    /** The key in a directory that {@link #find} found. */
    public static byte[] readKey(Path directory) throws IOException {
        return SmallFile.read(directory.resolve("key"), MOST_KEY);
    }

    /** Writes the run key for the workers. */
    public void writeKey(byte[] key) throws IOException {
        PrivateFiles.replace(path.resolve(".key"), path.resolve("key"), key);
    }

    /**
     * Writes the client certificate and key of workers and commands, and the CAs that they trust, where {@link
     * TlsFiles#in} finds them.
     */
    public void writeTls(byte[] certificate, byte[] key, byte[] authorities) throws IOException {
        Path directory = tls();
        Files.createDirectories(directory, PrivateFiles.DIRECTORY);
        TlsFiles files = TlsFiles.in(directory);
        PrivateFiles.replace(directory.resolve(".cert"), files.certificate(), certificate);
        PrivateFiles.replace(directory.resolve(".key"), files.key(), key);
        PrivateFiles.replace(directory.resolve(".ca"), files.authorities(), authorities);
    }

    /** Where that is. */
    public Path tls() {
        return ChannelLayout.of(path, 0, 0).tls();
    }

    /** Writes {@code run.json}, by which commands on this host find the agent. */
    public void writeRunFile(byte[] json) throws IOException {
        PrivateFiles.replace(path.resolve(".run.json"), path.resolve(RUN_FILE), json);
    }

    /** Writes {@code serving.json}, by which agents on this host know early whose store the agent serves, and where. */
    public void writeStoreFile(byte[] json) throws IOException {
        PrivateFiles.replace(path.resolve(".serving.json"), path.resolve(SERVING_FILE), json);
    }

    /** Removes the directory; the processes that use it must be gone. */
    @Override
    public void close() throws IOException {
        try {
            PrivateFiles.deleteTree(path);
        } finally {
            lock.close();
        }
        StaleRunDirectories.removeEmptyParents(path);
    }

    // Not a constant: commands read here, and loggers take long to load.
    private static Logger log() {
        return LoggerFactory.getLogger(RunDirectory.class);
    }

    private static void requireName(String name, String value) {
        if (!NAME.matcher(value).matches()) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + NAME + ")");
        }
    }
}
