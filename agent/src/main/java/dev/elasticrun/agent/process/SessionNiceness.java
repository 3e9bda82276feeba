/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The niceness of sessions, which Linux shares its processors between where it groups tasks by session (see "The autogroup
 * feature" in sched(7)): outside control groups with a share of their own, and unless it is switched off. It is written
 * without special rights, and by them no more than once in a tenth of a second on the whole host.
 */
final class SessionNiceness {
    private static final Logger LOG = LoggerFactory.getLogger(SessionNiceness.class);
    private static final String FILE = "autogroup";
    private static final String BEFORE_NUMBER = " nice ";
    // Of processes that descend from the kernel's first one without a session of their own between them.
    private static final String UNGROUPED = "0";
    private static final int ATTEMPTS = 10;
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path proc;

    /** @param proc {@code /proc} */
    SessionNiceness(Path proc) {
        this.proc = proc;
    }

    /**
     * The words before a command that make the session that it is in nicer. A session that could not be made nicer keeps
     * the priority that it has.
     *
     * @return none where sessions have no niceness
     */
    List<String> lowering(String shell, int niceness) {
        if (!Files.isWritable(proc.resolve("self").resolve(FILE))) {
            return List.of();
        }
        String script = "{ echo " + niceness + " > /proc/self/" + FILE + "; } 2> /dev/null; exec \"$@\"";
        return List.of(shell, "-c", script, "yielding");
    }

    /** Gives the session that a process leads the niceness of this one. Waits for half a second at most. */
    void raise(long pid) {
        String file = pid + "/" + FILE;
        try {
            String own = niceness("self/" + FILE);
            for (int attempt = 1; !niceness(file).equals(own); attempt++) {
                if (attempt > ATTEMPTS) {
                    LOG.warn(
                            "pid={} keeps the low priority of its session: {} cannot be written",
                            pid,
                            proc.resolve(file));
                    return;
                }
                if (!write(file, own)) {
                    LockSupport.parkNanos(BETWEEN_NANOS);
                }
            }
        } catch (IOException goneOrNone) {
            LOG.debug("pid={}: {}", pid, goneOrNone.getMessage());
        }
    }

    // Too early (EAGAIN) is no exception of a channel, which has written nothing then.
    private boolean write(String file, String niceness) {
        try (FileChannel channel =
                FileChannel.open(proc.resolve(file), StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            return channel.write(ByteBuffer.wrap(niceness.getBytes(StandardCharsets.US_ASCII))) > 0;
        } catch (IOException notNow) {
            return false;
        }
    }

    // The file is like "/autogroup-17 nice 0", and empty for a process that is in no such group.
    private String niceness(String file) throws IOException {
        String text = Files.readString(proc.resolve(file), StandardCharsets.US_ASCII);
        int before = text.lastIndexOf(BEFORE_NUMBER);
        return before < 0
                ? UNGROUPED
                : text.substring(before + BEFORE_NUMBER.length()).trim();
    }
}
