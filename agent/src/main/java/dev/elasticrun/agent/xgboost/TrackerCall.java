/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.xgboost;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;

/** What a worker asks the tracker for, after it has said who it is (dmlc/xgboost, {@code src/collective/protocol.h}). */
sealed interface TrackerCall {
    ObjectMapper JSON = new ObjectMapper();

    /**
     * To take part.
     *
     * @param port where it listens for the one before it in the ring
     */
    record Start(int port) implements TrackerCall {}

    /** It is done. */
    record Shutdown() implements TrackerCall {}

    /** It failed. */
    record Failed(String message, int code) implements TrackerCall {}

    /** A line for people. */
    record Print(String line) implements TrackerCall {}

    /** @throws IOException naming what is wrong */
    static TrackerCall parse(String text) throws IOException {
        JsonNode call = tree(text);
        int command = call.path("cmd").asInt(-1);
        return switch (command) {
            case 1 -> new Start(port(call, text));
            case 2 -> new Shutdown();
            case 3 -> new Failed(call.path("msg").asText(), call.path("code").asInt(-1));
            case 4 -> new Print(call.path("msg").asText());
            default -> throw new IOException("command: " + text + " (expected: cmd 1, 2, 3 or 4)");
        };
    }

    /** The task id of a worker that says who it is. */
    static String taskId(String text) throws IOException {
        return tree(text).path("task_id").asText();
    }

    /** How a worker says who it is. */
    static String who(String taskId) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("world_size", -1)
                .put("rank", -1)
                .put("task_id", taskId)
                .toString();
    }

    /** How a worker asks to take part. */
    static String start(int port) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("cmd", 1)
                .put("port", port)
                .put("error_port", 0)
                .toString();
    }

    static String worldSize(int size) {
        return JsonNodeFactory.instance.objectNode().put("world_size", size).toString();
    }

    static String neighbour(Bootstrap.Place place) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("rank", place.rank())
                .put("host", place.host())
                .put("port", place.port())
                .toString();
    }

    private static int port(JsonNode call, String text) throws IOException {
        int port = call.path("port").asInt(-1);
        if (port < 1 || port > 65535) {
            throw new IOException("port in " + text + " (expected: 1 to 65535)");
        }
        return port;
    }

    private static JsonNode tree(String text) throws IOException {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IOException("'" + text + "' (expected: JSON)", e);
        }
    }
}
