/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.channel;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consumes the {@code up/} directory of one worker attempt. Scans from several threads take turns. */
final class UpChannel {
    private static final Logger LOG = LoggerFactory.getLogger(UpChannel.class);
    private static final Pattern NAME = Pattern.compile("([0-9]{1,18})\\.json");
    private static final long LARGEST_MESSAGE = 4L << 20;

    private final int slot;
    private final int attempt;
    private final Path directory;
    private final UpChannelReader.Listener listener;

    // Guarded by this, and so is delivery: it makes the order of messages the same for every thread that scans.
    private final Set<Long> undeletable = new HashSet<>();
    private long lastSeq;
    private boolean unreadable;
    private boolean closed;

    UpChannel(int slot, int attempt, ChannelLayout layout, UpChannelReader.Listener listener) {
        this.slot = slot;
        this.attempt = attempt;
        this.directory = layout.up();
        this.listener = listener;
    }

    Path directory() {
        return directory;
    }

    synchronized void scan() {
        if (closed) {
            return;
        }
        try {
            NavigableMap<Long, Path> found = list();
            if (hasGap(found)) {
                // A listing may miss a file renamed meanwhile and still show a later one. The worker renames in
                // order, so a second listing has all that came before what the first one saw.
                found = list();
            }
            found.forEach(this::consume);
            unreadable = false;
        } catch (IOException e) {
            reportUnreadable(e);
        }
    }

    /** Delivers what is left; afterwards nothing is delivered any more. */
    synchronized void drain() {
        scan();
        closed = true;
    }

    private boolean hasGap(NavigableMap<Long, Path> found) {
        return !found.isEmpty()
                && (found.firstKey() > lastSeq + 1 || found.lastKey() - found.firstKey() + 1 != found.size());
    }

    private NavigableMap<Long, Path> list() throws IOException {
        List<Path> files;
        try (Stream<Path> entries = Files.list(directory)) {
            files = entries.toList();
        }
        NavigableMap<Long, Path> found = new TreeMap<>();
        for (Path file : files) {
            Matcher name = NAME.matcher(file.getFileName().toString());
            if (name.matches()) {
                long seq = Long.parseLong(name.group(1));
                if (!undeletable.contains(seq)) {
                    found.put(seq, file);
                }
            }
        }
        return found;
    }

    private void consume(long seq, Path file) {
        lastSeq = Math.max(lastSeq, seq);
        String problem;
        try {
            UpMessage message = read(file);
            delete(seq, file);
            deliver(() -> listener.onMessage(slot, attempt, message));
            return;
        } catch (NoSuchFileException gone) {
            return;
        } catch (IOException | IllegalArgumentException e) {
            problem = e.getMessage() == null ? e.toString() : e.getMessage();
        }
        delete(seq, file);
        String reason = problem;
        deliver(() -> listener.onDamaged(slot, attempt, file, reason));
    }

    private static UpMessage read(Path file) throws IOException {
        // A pipe or a link must not block or mislead the thread that serves all workers.
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("not a regular file");
        }
        long size = Files.size(file);
        if (size > LARGEST_MESSAGE) {
            throw new IOException("size: " + size + " bytes (expected: at most " + LARGEST_MESSAGE + ")");
        }
        return MessageCodec.decodeUp(Files.readAllBytes(file));
    }

    private void delete(long seq, Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            undeletable.add(seq);
            LOG.warn("cannot delete {}; it is ignored from now on", file, e);
        }
    }

    private void deliver(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.error("listener failed on a message of slot {} attempt {}", slot, attempt, e);
        }
    }

    private void reportUnreadable(IOException e) {
        if (!unreadable) {
            unreadable = true;
            LOG.warn("cannot list {}; trying again", directory, e);
        }
    }
}
