/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import dev.elasticrun.agent.decisions.DecisionLine;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code decisions.jsonl}, which is there once its node has decided something. Its parts are those of an {@link EventFile};
 * together they have at most 32 MiB. What cannot be written is dropped. Owned by one thread.
 */
final class DecisionFile implements Closeable {
    /** A part that has so many bytes is continued by the next one. */
    static final int PART_BYTES = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(DecisionFile.class);

    private final Path path;
    private final int maxBytes;
    private @Nullable EventFile file;
    private boolean failing;

    DecisionFile(Path path) {
        this(path, PART_BYTES);
    }

    /** @param maxBytes of a part before its last line, and of a line */
    DecisionFile(Path path, int maxBytes) {
        this.path = path;
        this.maxBytes = maxBytes;
    }

    void write(DecisionLine line) {
        try {
            // A write that failed may have left half a line.
            byte[] text = ((failing ? "\n" : "") + line.json() + "\n").getBytes(StandardCharsets.UTF_8);
            if (text.length > maxBytes) {
                LOG.warn("a decision of {} bytes is not recorded (expected: at most {})", text.length, maxBytes);
                return;
            }
            EventFile open = file;
            if (open == null) {
                open = EventFile.open(path, maxBytes, DecisionFile::firstLine);
                file = open;
            }
            open.append(ByteBuffer.wrap(text));
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                failing = true;
                LOG.warn("cannot write {}; decisions are not recorded until it works again", path, e);
            }
        }
    }

    private static byte[] firstLine(long offset) {
        return ("{\"offset\":" + offset + "}\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        EventFile open = file;
        if (open != null) {
            open.close();
        }
    }
}
