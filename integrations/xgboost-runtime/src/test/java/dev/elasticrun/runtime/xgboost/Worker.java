/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A worker that speaks the protocol by hand, as {@code src/collective/protocol.h} of XGBoost has it. */
final class Worker implements AutoCloseable {
    private final Socket socket;
    final DataInputStream in;
    private final OutputStream out;

    Worker(int port, String taskId) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        assertThat(integer()).isEqualTo(Frames.MAGIC);
        write(Frames.MAGIC);
        send("{\"world_size\":-1,\"rank\":-1,\"task_id\":\"" + taskId + "\"}");
    }

    void start(int port) throws IOException {
        send("{\"cmd\":1,\"port\":" + port + ",\"error_port\":1}");
    }

    void send(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(bytes.length);
        out.write(bytes);
        out.flush();
    }

    String text() throws IOException {
        return new String(in.readNBytes(integer()), StandardCharsets.UTF_8);
    }

    private int integer() throws IOException {
        return Integer.reverseBytes(in.readInt());
    }

    private void write(int value) throws IOException {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            out.write(value >>> shift);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
