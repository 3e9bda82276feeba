/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.samples.testing.SocketTable;
import dev.elasticrun.testing.Patience;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands before XGBoost's tracker for one worker, and kills it at a point of the first conversation that it has there.
 * Integers are little-endian, a text has its length before it.
 */
final class TrackerFront implements AutoCloseable {
    static final String HOST = "127.0.0.1";
    private static final Pattern PORT = Pattern.compile("\"port\":\\s*(\\d+)");
    private static final Duration POLL = Duration.ofMillis(1);

    /** When the worker dies. */
    enum Point {
        /** Before the tracker has received it. */
        CALLED,
        /** The tracker has sent everybody their neighbours; this worker does not get to know. */
        ANSWERED,
        /** It is connected to a neighbour. */
        CONNECTED
    }

    private final ServerSocket door;
    private final String trackerHost;
    private final int trackerPort;
    private final Point point;

    private TrackerFront(ServerSocket door, String trackerHost, int trackerPort, Point point) {
        this.door = door;
        this.trackerHost = trackerHost;
        this.trackerPort = trackerPort;
        this.point = point;
    }

    static TrackerFront start(String trackerHost, int trackerPort, Point point) throws IOException {
        TrackerFront front = new TrackerFront(
                new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), trackerHost, trackerPort, point);
        Thread thread = new Thread(front::serve, "tracker-front");
        thread.setDaemon(true);
        thread.start();
        return front;
    }

    int port() {
        return door.getLocalPort();
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void serve() {
        try (Socket worker = door.accept();
                Socket tracker = new Socket(trackerHost, trackerPort)) {
            ProcessHandle process = SocketTable.ownerOf(worker.getPort(), worker.getLocalPort());
            if (point == Point.CALLED) {
                process.destroyForcibly();
                return;
            }
            DataInputStream asked = new DataInputStream(worker.getInputStream());
            DataOutputStream reported = new DataOutputStream(worker.getOutputStream());
            DataInputStream answers = new DataInputStream(tracker.getInputStream());
            DataOutputStream calls = new DataOutputStream(tracker.getOutputStream());
            calls.write(asked.readNBytes(Integer.BYTES));
            reported.write(answers.readNBytes(Integer.BYTES));
            calls.write(frame(asked));
            byte[] start = frame(asked);
            calls.write(start);
            reported.write(frame(answers));
            byte[] neighbour = frame(answers);
            if (point == Point.CONNECTED) {
                reported.write(neighbour);
                while (process.isAlive() && !SocketTable.isConnected(process, port(start), port(neighbour))) {
                    Patience.pause(POLL);
                }
            }
            process.destroyForcibly();
        } catch (IOException over) {
            // The round ended first: nobody dies, which the test notices.
        }
    }

    private static byte[] frame(DataInputStream in) throws IOException {
        byte[] length = in.readNBytes(Integer.BYTES);
        int count = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
        return ByteBuffer.allocate(Integer.BYTES + count)
                .put(length)
                .put(in.readNBytes(count))
                .array();
    }

    private static int port(byte[] frame) throws IOException {
        Matcher port = PORT.matcher(new String(frame, StandardCharsets.UTF_8));
        if (!port.find()) {
            throw new IOException("no port in the tracker's answer");
        }
        return Integer.parseInt(port.group(1));
    }
}
