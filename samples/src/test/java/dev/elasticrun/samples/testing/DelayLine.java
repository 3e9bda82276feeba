/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** One direction of a connection: what comes out was put in a fixed time before, also the end. Two threads. */
final class DelayLine {
    private final Socket from;
    private final Socket to;
    private final Duration delay;
    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();

    /**
     * Bytes on their way.
     *
     * @param bytes none at the end of the stream
     * @param dueNanos when they may come out
     */
    private record Piece(byte[] bytes, long dueNanos) {}

    private DelayLine(Socket from, Socket to, Duration delay) {
        this.from = from;
        this.to = to;
        this.delay = delay;
    }

    static void connect(Socket from, Socket to, Duration delay) {
        DelayLine line = new DelayLine(from, to, delay);
        DelayRelay.start("take", line::take);
        DelayRelay.start("give", line::give);
    }

    private void take() {
        byte[] buffer = new byte[1 << 16];
        int count = 0;
        while (count >= 0) {
            try {
                count = from.getInputStream().read(buffer);
            } catch (IOException e) {
                count = -1;
            }
            pieces.add(new Piece(Arrays.copyOf(buffer, Math.max(0, count)), System.nanoTime() + delay.toNanos()));
        }
    }

    private void give() {
        try {
            Piece piece = pieces.take();
            while (piece.bytes.length > 0) {
                Patience.pause(Duration.ofNanos(Math.max(0, piece.dueNanos - System.nanoTime())));
                to.getOutputStream().write(piece.bytes);
                piece = pieces.take();
            }
            Patience.pause(Duration.ofNanos(Math.max(0, piece.dueNanos - System.nanoTime())));
            to.shutdownOutput();
        } catch (IOException e) {
            closeBoth();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeBoth() {
        try (from;
                to) {
            to.setSoLinger(true, 0);
        } catch (IOException e) {
            // Closed already.
        }
    }
}
