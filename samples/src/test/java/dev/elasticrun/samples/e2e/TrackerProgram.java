/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * In each round prints what the runtime hands over, and asks the tracker for its neighbour as XGBoost's workers do, until as many
 * as were asked for work together.
 */
final class TrackerProgram {
    private static final int MAGIC = 0xff99;

    private TrackerProgram() {}

    public static void main(String[] args) throws Exception {
        int wanted = Integer.parseInt(args[0]);
        WorkerInfo info = ElasticRuntime.getWorkerInfo();
        while (true) {
            System.out.println("round " + info.round() + " of " + info.worldSize() + " " + new TreeMap<>(info.runtime())
                    + " next " + neighbour(info.runtime()));
            if (info.worldSize() == wanted) {
                return;
            }
            info = ElasticRuntime.awaitWork(info.round());
        }
    }

    private static String neighbour(Map<String, String> runtime) throws IOException {
        int port = Integer.parseInt(runtime.getOrDefault("DMLC_TRACKER_PORT", ""));
        try (Socket socket = new Socket(runtime.get("DMLC_TRACKER_URI"), port)) {
            String who = "{\"world_size\":-1,\"rank\":-1,\"task_id\":\"" + runtime.get("DMLC_TASK_ID") + "\"}";
            ByteBuffer call =
                    ByteBuffer.allocate(512).order(ByteOrder.LITTLE_ENDIAN).putInt(MAGIC);
            for (String text : new String[] {who, "{\"cmd\":1,\"port\":9999,\"error_port\":9998}"}) {
                call.putInt(text.length()).put(text.getBytes(StandardCharsets.US_ASCII));
            }
            socket.getOutputStream().write(call.array(), 0, call.position());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readInt();
            return text(in) + " " + text(in);
        }
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(Integer.reverseBytes(in.readInt())), StandardCharsets.US_ASCII);
    }
}
