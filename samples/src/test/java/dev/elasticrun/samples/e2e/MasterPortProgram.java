/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A worker that only reads environment variables: all ranks send rank 0 their number. Nothing but the JDK. */
final class MasterPortProgram {
    private static final int TIMEOUT_MILLIS = 30_000;

    private MasterPortProgram() {}

    public static void main(String[] args) throws IOException {
        int rank = Integer.parseInt(System.getenv("RANK"));
        int worldSize = Integer.parseInt(System.getenv("WORLD_SIZE"));
        String address = System.getenv("MASTER_ADDR");
        int port = Integer.parseInt(System.getenv("MASTER_PORT"));
        if (rank == 0) {
            serve(worldSize, address, port);
        } else {
            call(rank, address, port);
        }
    }

    private static void serve(int worldSize, String address, int port) throws IOException {
        SortedSet<Integer> received = new TreeSet<>();
        try (ServerSocket server = new ServerSocket(port, worldSize, InetAddress.getByName(address))) {
            server.setSoTimeout(TIMEOUT_MILLIS);
            while (received.size() < worldSize - 1) {
                try (Socket peer = server.accept()) {
                    received.add(peer.getInputStream().read());
                }
            }
        }
        System.out.println("rank 0 received " + received);
    }

    private static void call(int rank, String address, int port) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
        while (true) {
            try (Socket socket = new Socket(address, port)) {
                socket.getOutputStream().write(rank);
                return;
            } catch (ConnectException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }
}
