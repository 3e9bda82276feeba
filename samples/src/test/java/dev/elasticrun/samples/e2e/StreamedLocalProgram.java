/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.StreamedSnapshot;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a streamed local state on each rank, of which no byte is in the heap, compares all of them after each change, and ends
 * some steps after a file is there.
 */
final class StreamedLocalProgram {
    private static final int STEPS_AFTERWARDS = 2;
    private static final int PIECE = 1 << 16;

    private StreamedLocalProgram() {}

    /** @param args bytes of a state, the file that ends the run, and milliseconds of a step */
    public static void main(String[] args) {
        long bytes = Long.parseLong(args[0]);
        long pauseNanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[2]));
        boolean isDone = false;
        while (!isDone) {
            try {
                run(ElasticRuntime.join(), bytes, Path.of(args[1]), pauseNanos);
                isDone = true;
            } catch (WorldChangedException e) {
                System.out.println("joins again: " + e.getMessage());
            }
        }
    }

    private static void run(Collective collective, long bytes, Path end, long pauseNanos) {
        compare(collective, bytes);
        long last = Long.MAX_VALUE;
        for (long step = collective.version() + 1; step <= last; step++) {
            long[] ended = {Files.exists(end) ? 1 : 0};
            collective.allReduce(ended, ReduceOp.MAX);
            if (ended[0] == 1 && last == Long.MAX_VALUE) {
                last = step + STEPS_AFTERWARDS;
            }
            long start = System.nanoTime();
            collective.checkpoint(new byte[] {(byte) step}, new RankState(collective.rank(), step, bytes));
            System.out.println("keeps version " + step + ", one of " + collective.worldSize() + ", after "
                    + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
            LockSupport.parkNanos(pauseNanos);
        }
        collective.close();
        System.out.println("done at version " + collective.version());
    }

    private static void compare(Collective collective, long bytes) {
        if (!collective.lostLocals().isEmpty()) {
            throw new IllegalStateException("lost: " + collective.lostLocals());
        }
        TreeSet<Integer> ranks = new TreeSet<>();
        RankState found = new RankState(-1, collective.version(), bytes);
        if (collective.loadLocal(found)) {
            ranks.add(found.rank);
        }
        for (int rank : collective.orphanedRanks()) {
            collective.loadOrphanedLocal(rank, found);
            if (found.rank != rank) {
                throw new IllegalStateException("the state of rank " + found.rank + " as that of " + rank);
            }
            ranks.add(rank);
        }
        System.out.println("has states of ranks " + ranks + ", one of " + collective.worldSize());
    }

    /** The number of its rank, and bytes that follow from rank and version. */
    private static final class RankState implements StreamedSnapshot {
        private final long version;
        private final long bytes;
        private int rank;

        RankState(int rank, long version, long bytes) {
            this.rank = rank;
            this.version = version;
            this.bytes = bytes;
        }

        @Override
        public void save(WritableByteChannel to) throws IOException {
            to.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, rank));
            SplittableRandom random = random();
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            for (long left = length(); left > 0; left -= piece.limit()) {
                next(random, piece, left);
                to.write(piece.rewind());
            }
        }

        @Override
        public void restore(ReadableByteChannel from) throws IOException {
            ByteBuffer first = ByteBuffer.allocate(Integer.BYTES);
            fill(from, first);
            rank = first.getInt(0);
            SplittableRandom random = random();
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            ByteBuffer found = ByteBuffer.allocate(PIECE);
            for (long left = length(); left > 0; left -= piece.limit()) {
                next(random, piece, left);
                fill(from, found.clear().limit(piece.limit()));
                if (!found.flip().equals(piece.rewind())) {
                    throw new IOException("state of rank " + rank + " has other bytes, " + left + " before its end");
                }
            }
            if (from.read(first.clear()) >= 0) {
                throw new IOException("state of rank " + rank + " has more than " + length() + " bytes");
            }
        }

        /** Of another length for each rank. */
        private long length() {
            return bytes - 1000L * rank;
        }

        private SplittableRandom random() {
            return new SplittableRandom(31 * version + rank);
        }

        /** One word in eight is drawn, so that a large state takes little time. */
        private static void next(SplittableRandom random, ByteBuffer piece, long left) {
            piece.clear().limit((int) Math.min(PIECE, left));
            long word = random.nextLong();
            while (piece.remaining() >= Long.BYTES) {
                word = piece.remaining() % (8 * Long.BYTES) == 0 ? random.nextLong() : word * 31 + 1;
                piece.putLong(word);
            }
            while (piece.hasRemaining()) {
                piece.put((byte) word);
            }
        }

        private static void fill(ReadableByteChannel from, ByteBuffer to) throws IOException {
            while (to.hasRemaining()) {
                if (from.read(to) < 0) {
                    throw new EOFException("the state ends early");
                }
            }
        }
    }
}
