/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** What a real client sends to a listener: everything of its first connection. */
public final class Recording {
    private Recording() {}

    /** Uses the listener through that port; what it throws is of no interest. */
    @FunctionalInterface
    public interface Client {
        void call(int port) throws Exception;
    }

    public static byte[] of(int listener, Client client) throws Exception {
        ByteArrayOutputStream stated = new ByteArrayOutputStream();
        try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread relay = new Thread(() -> relay(door, listener, stated), "recording");
            relay.start();
            try {
                client.call(door.getLocalPort());
            } catch (Exception e) {
                // Refused, as it should be.
            }
            relay.join();
        }
        if (stated.size() == 0) {
            throw new IllegalStateException("nothing was sent");
        }
        return stated.toByteArray();
    }

    private static void relay(ServerSocket door, int listener, ByteArrayOutputStream stated) {
        try (Socket caller = door.accept();
                Socket called = new Socket(InetAddress.getLoopbackAddress(), listener)) {
            Thread back = new Thread(() -> copy(called, caller, OutputStream.nullOutputStream()), "recording-back");
            back.start();
            copy(caller, called, stated);
            called.shutdownOutput();
            back.join();
        } catch (IOException e) {
            // One of them hung up.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(Socket from, Socket to, OutputStream copy) {
        byte[] bytes = new byte[1 << 14];
        try {
            InputStream in = from.getInputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                copy.write(bytes, 0, read);
                to.getOutputStream().write(bytes, 0, read);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // One of them hung up.
        }
    }
}
