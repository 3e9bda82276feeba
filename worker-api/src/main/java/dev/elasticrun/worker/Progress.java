/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.HeartbeatWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the program's progress, and whether it waits for others. The program's thread beats; the channel thread
 * inspects that thread only when it has not beaten for a second, so that a program that makes progress pays nothing.
 */
public final class Progress {
    private static final String OURS = "dev.elasticrun.worker.";
    private static final Set<String> JDK = Set.of("java", "javax", "jdk", "sun", "com.sun");
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final @Nullable HeartbeatWriter writer;
    // Written by the program's thread, read by the one that looks.
    private volatile @Nullable Thread program;
    // Of the program's thread.
    private @Nullable Section section;

    // Of the thread that looks.
    private long seenBeats;
    private long seenNanos;

    private Progress(@Nullable HeartbeatWriter writer) {
        this.writer = writer;
    }

    /** Without the file nothing is published, and nothing else changes. */
    static Progress create(Path file) {
        try {
            return new Progress(HeartbeatWriter.create(file));
        } catch (IOException e) {
            System.getLogger(Progress.class.getName())
                    .log(Level.WARNING, "cannot make " + file + ", hangs will not be noticed: " + e);
            return new Progress(null);
        }
    }

    void beat() {
        HeartbeatWriter open = begin();
        if (open != null) {
            open.beat();
        }
    }

    /** @param total 0 = not known */
    void beat(long step, long total) {
        HeartbeatWriter open = begin();
        if (open != null) {
            open.beat(step, total);
        }
    }

    /** On whatever thread completes checkpoints. */
    void committed(long version) {
        if (writer != null) {
            writer.version(version);
        }
    }

    /** @param limit zero = to be learned */
    Section open(String name, Duration limit) {
        return open(name, limit, 0);
    }

    /** @param peerRound round whose workers the program may wait for in it; 0 = none */
    Section open(String name, Duration limit, long peerRound) {
        if (name.isBlank() || limit.isNegative()) {
            throw new IllegalArgumentException(
                    "section: '" + name + "' of " + limit + " (expected: a name, and a time that is not negative)");
        }
        Section opened = new Section(this, name, limit.toNanos(), peerRound, section);
        enter(opened);
        return opened;
    }

    /** One that is closed already, or whose outer one was closed, is not in the chain any more. */
    void close(Section closed) {
        for (Section open = section; open != null; open = open.outer()) {
            if (open == closed) {
                enter(closed.outer());
                return;
            }
        }
    }

    private void enter(@Nullable Section entered) {
        section = entered;
        HeartbeatWriter open = begin();
        if (open != null) {
            if (entered == null) {
                open.section("", 0, 0);
            } else {
                open.section(entered.name(), entered.limitNanos(), entered.peerRound());
            }
        }
    }

    /** Called often: everything else is done once. */
    private @Nullable HeartbeatWriter begin() {
        Thread current = Thread.currentThread();
        if (program != current) {
            program = current;
            if (writer != null) {
                writer.thread(current.getName());
            }
        }
        return writer;
    }

    /**
     * On the thread that looks, some times a second.
     *
     * @param queue the thread that does what the program has handed to it, while it does it
     */
    void look(long nowNanos, Optional<Thread> queue) {
        Thread thread = program;
        if (writer == null) {
            return;
        }
        long beats = writer.beats();
        if (beats != seenBeats) {
            seenBeats = beats;
            seenNanos = nowNanos;
        } else if (nowNanos - seenNanos >= LOOK_NANOS) {
            seenNanos = nowNanos;
            // Before its first sign of progress the program is not judged; that its JVM runs is visible all the same.
            writer.look(thread != null && waits(thread, queue));
        }
    }

    /** Whether the thread is in a call of this library, or waits for one that it has handed to another thread. */
    private static boolean waits(Thread thread, Optional<Thread> queue) {
        StackTraceElement[] stack = thread.getStackTrace();
        if (isOurs(stack)) {
            return true;
        }
        boolean isParked = thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
        return isParked && queue.isPresent() && isOurs(queue.get().getStackTrace());
    }

    /** Whose the innermost call is that is not the JDK's. */
    static boolean isOurs(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            String name = frame.getClassName();
            if (JDK.stream().noneMatch(prefix -> name.startsWith(prefix + "."))) {
                return name.startsWith(OURS);
            }
        }
        return false;
    }
}
