/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Whole lines of a node's events, and which of its lines they are. Immutable. */
public final class EventPart {
    private final String node;
    private final long from;
    private final byte[] lines;

    /**
     * @param from how many bytes of the node's lines come before
     * @param lines with their ends; not changed any more
     */
    public EventPart(String node, long from, byte[] lines) {
        this.node = node;
        this.from = from;
        this.lines = lines;
    }

    public String node() {
        return node;
    }

    public long from() {
        return from;
    }

    public boolean isEmpty() {
        return lines.length == 0;
    }

    /** How many bytes of the node's lines are known with this part. */
    public long end() {
        return from + lines.length;
    }

    /** Both as one; the other one's lines come right after these. */
    public EventPart with(EventPart next) {
        byte[] both = Arrays.copyOf(lines, lines.length + next.lines.length);
        System.arraycopy(next.lines, 0, both, lines.length, next.lines.length);
        return new EventPart(node, from, both);
    }

    /**
     * The lines after the first {@code known} bytes of the node's lines. Lines in between that are missing were
     * deleted.
     */
    public String after(long known) {
        int skip = (int) Math.max(0, Math.min(lines.length, known - from));
        return new String(lines, skip, lines.length - skip, StandardCharsets.UTF_8);
    }
}
