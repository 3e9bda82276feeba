/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import java.util.List;
import java.util.Set;

/**
 * The state of a run for programs: the fields of the messages of {@code control.proto}, in their order there. Names of
 * fields stay as they are, new ones may come. Pure.
 */
final class StatusJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final Set<String> LEFT_OUT = Set.of("tls", "control_port");
    /** Of these zero says that they are not known; of all fields a negative number does. */
    private static final Set<String> UNKNOWN_AT_ZERO = Set.of("total", "memory_bytes");

    private StatusJson() {}

    static String of(StatusReply run) {
        return text(json(run.toBuilder().setVersion(StatusView.version(run)).build()));
    }

    static String runs(List<LocalRuns.LocalRun> agents) {
        ObjectNode json = MAPPER.createObjectNode();
        ArrayNode runs = json.putArray("runs");
        for (LocalRuns.LocalRun agent : agents) {
            runs.addObject()
                    .put("run", agent.file().run())
                    .put("incarnation", agent.file().incarnation())
                    .put("node", agent.file().node());
        }
        return text(json);
    }

    private static ObjectNode json(Message message) {
        ObjectNode json = MAPPER.createObjectNode();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (field.getName().equals("silence")) {
                json.put("answered", message.getField(field).equals(""));
            }
            if (!LEFT_OUT.contains(field.getName())) {
                json.set(field.getJsonName(), json(message, field));
            }
        }
        return json;
    }

    private static JsonNode json(Message message, FieldDescriptor field) {
        Object value = message.getField(field);
        if (value instanceof List<?> messages) {
            ArrayNode array = MAPPER.createArrayNode();
            messages.forEach(one -> array.add(json((Message) one)));
            return array;
        }
        return isUnknown(message, field, value) ? MAPPER.nullNode() : MAPPER.valueToTree(value);
    }

    private static boolean isUnknown(Message message, FieldDescriptor field, Object value) {
        if (message instanceof NodeStatus node && field.getNumber() == NodeStatus.KEPT_OUT_MILLIS_FIELD_NUMBER) {
            return node.getKeptOut().isEmpty() || node.getKeptOutMillis() < 0;
        }
        return value instanceof Number number
                && (number.doubleValue() < 0 || (number.longValue() == 0 && UNKNOWN_AT_ZERO.contains(field.getName())));
    }

    private static String text(ObjectNode json) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + System.lineSeparator();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write the status as JSON", e);
        }
    }
}
