/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;

/**
 * The request of a worker to the tracker, after it has sent its identity (dmlc/xgboost, {@code
 * src/collective/protocol.h}).
 */
sealed interface TrackerCall {
    ObjectMapper JSON = new ObjectMapper();

    /**
     * To take part.
     *
     * @param port where it listens for the one before it in the ring
     * @param proof of the node that calls for a worker of its own; empty from a worker
     */
    record Start(int port, String proof) implements TrackerCall {}

    /** It is done. */
    record Shutdown() implements TrackerCall {}

    /** It failed. */
    record Failed(String message, int code) implements TrackerCall {}

    /** A human-readable line. */
    record Print(String line) implements TrackerCall {}

    /** @throws IOException naming what is wrong */
    static TrackerCall parse(String text) throws IOException {
        JsonNode call = tree(text);
        int command = call.path("cmd").asInt(-1);
        return switch (command) {
            case 1 -> new Start(port(call, text), call.path("proof").asText());
            case 2 -> new Shutdown();
            case 3 -> new Failed(call.path("msg").asText(), call.path("code").asInt(-1));
            case 4 -> new Print(call.path("msg").asText());
            default -> throw new IOException("command: " + text + " (expected: cmd 1, 2, 3 or 4)");
        };
    }

    /**
     * The identity of the caller.
     *
     * @param node the node that calls for one of its workers; empty when the worker itself calls
     * @param nonce of that node
     */
    record Who(String taskId, String node, String nonce) {}

    static Who who(String text) throws IOException {
        JsonNode who = tree(text);
        return new Who(
                who.path("task_id").asText(),
                who.path("node").asText(),
                who.path("nonce").asText());
    }

    /** Encodes the identity that a node sends when it calls for one of its workers. */
    static String asking(Who who) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("task_id", who.taskId())
                .put("node", who.node())
                .put("nonce", who.nonce())
                .toString();
    }

    /** The challenge that a calling node must include in its proof. */
    static String challenge(String nonce) {
        return JsonNodeFactory.instance.objectNode().put("nonce", nonce).toString();
    }

    static String nonce(String challenge) throws IOException {
        return tree(challenge).path("nonce").asText();
    }

    /** Encodes a node's request that its worker takes part. */
    static String start(int port, String proof) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("cmd", 1)
                .put("port", port)
                .put("proof", proof)
                .toString();
    }

    /**
     * What a node is answered for its worker.
     *
     * @param text as the worker is to receive it
     */
    record Answer(String text, String proof) {}

    static String answer(Answer answer) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("answer", answer.text())
                .put("proof", answer.proof())
                .toString();
    }

    static Answer answer(String text) throws IOException {
        JsonNode answer = tree(text);
        return new Answer(answer.path("answer").asText(), answer.path("proof").asText());
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
