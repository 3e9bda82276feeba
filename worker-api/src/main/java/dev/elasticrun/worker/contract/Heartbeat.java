/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The file {@code heartbeat} of a channel directory: the progress that a worker publishes in shared memory, so that a
 * report costs no system call. The worker writes, its agent polls several times a second. Native byte order.
 *
 * <pre>
 *    0  8 bytes  the characters ELRBEAT1
 *    8  int64    signs of progress so far; 0 = none yet, and the hang detection ignores the worker
 *   16  int64    newest step that the program reported; 0 = none
 *   24  int64    1 = a JVM, which answers SIGQUIT with the stacks of its threads; 0 = anything else
 *   32  int64    section that the program is in, counted from 1; 0 = none
 *   40  int64    longest time without a sign of progress in that section, nanoseconds; 0 = to be learned
 *   48  int64    1 = the program waits for its peers or its agent; 0 = it does not, or was not checked
 *   56  int64    how often the process checked its thread: grows while it runs and there is no progress
 *   64  64 bytes name of the program's thread, UTF-8, ends with zero
 *  128  64 bytes name of section 1, then that of section 2, ... of section 61
 * 4032  int64    newest checkpoint that was completed here; 0 = none
 * 4040  int64    steps that the program plans; 0 = not known
 * 4048  int64    round for which the section was opened, if the program may wait in it for workers of that round by other
 *                means than this library; 0 = it is no such section
 * </pre>
 */
public final class Heartbeat {
    public static final int SIZE = 4096;
    public static final int MAX_SECTIONS = 61;
    public static final int MAX_NAME = 63;

    static final byte[] MAGIC = "ELRBEAT1".getBytes(StandardCharsets.US_ASCII);
    static final int BEATS = 8;
    static final int STEP = 16;
    static final int KIND = 24;
    static final int SECTION = 32;
    static final int LIMIT = 40;
    static final int WAITS = 48;
    static final int LOOKS = 56;
    static final int THREAD = 64;
    static final int NAMES = 128;
    static final int NAME_SIZE = MAX_NAME + 1;
    static final int VERSION = NAMES + NAME_SIZE * MAX_SECTIONS;
    static final int TOTAL = VERSION + Long.BYTES;
    static final int PEER_ROUND = TOTAL + Long.BYTES;

    private Heartbeat() {}

    /**
     * A snapshot that an agent reads. The fields may be of slightly different moments.
     *
     * @param beats signs of progress so far; 0 = none yet, and the hang detection ignores the worker
     * @param looks how often the process checked the program's thread
     * @param isJvm whether it answers SIGQUIT with the stacks of its threads
     * @param thread name of the program's thread
     */
    public record View(long beats, long looks, boolean isJvm, String thread, Progress progress, Section section) {

        /**
         * How far the program is.
         *
         * @param step newest that it reported; 0 = none
         * @param total planned steps; 0 = not known
         * @param version newest checkpoint that was completed here; 0 = none
         */
        public record Progress(long step, long total, long version) {}

        /**
         * The section that the program is in.
         *
         * @param number 0 = none
         * @param name empty = none
         * @param limitNanos longest time without a sign of progress in it; 0 = to be learned
         * @param waits for its peers or its agent, or may do so in the section
         * @param peerRound round for which it was opened, if the program may wait in it for peers; 0 = it may not
         */
        public record Section(int number, String name, long limitNanos, boolean waits, long peerRound) {}

        /** Throws IllegalArgumentException that names the fault. */
        public static View decode(byte[] file) {
            if (file.length != SIZE || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
                throw new IllegalArgumentException("heartbeat: not a file of version 1");
            }
            ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.nativeOrder());
            long section = bytes.getLong(SECTION);
            if (section < 0 || section > MAX_SECTIONS) {
                throw new IllegalArgumentException("section: " + section + " (expected: 0 to " + MAX_SECTIONS + ")");
            }
            long peerRound = section == 0 ? 0 : Math.max(0, bytes.getLong(PEER_ROUND));
            return new View(
                    bytes.getLong(BEATS),
                    bytes.getLong(LOOKS),
                    bytes.getLong(KIND) == 1,
                    text(file, THREAD),
                    new Progress(bytes.getLong(STEP), bytes.getLong(TOTAL), bytes.getLong(VERSION)),
                    new Section(
                            (int) section,
                            section == 0 ? "" : text(file, NAMES + NAME_SIZE * ((int) section - 1)),
                            Math.max(0, bytes.getLong(LIMIT)),
                            bytes.getLong(WAITS) == 1 || peerRound > 0,
                            peerRound));
        }

        private static String text(byte[] file, int at) {
            int end = at;
            while (end < at + MAX_NAME && file[end] != 0) {
                end++;
            }
            return new String(file, at, end - at, StandardCharsets.UTF_8);
        }
    }
}
