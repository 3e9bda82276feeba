/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A node that is examined, as others find it in the store while it answers.
 *
 * @param place HOST:PORT at which it answers
 * @param key in hexadecimal, by which callers are known; empty = they know the run's
 * @param encryption as agents of a run agree on it
 * @param dialed names of those to which it has measured the way, or tried to
 */
record Attendee(String node, String place, String key, String encryption, List<String> dialed) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    Attendee {
        dialed = List.copyOf(dialed);
    }

    /** The same, having dialed one more. */
    Attendee withDialed(String other) {
        List<String> more = new ArrayList<>(dialed);
        more.add(other);
        return new Attendee(node, place, key, encryption, more);
    }

    /** That key, or the one that all know. */
    byte[] keyOr(byte[] common) {
        return key.isEmpty() ? common : HexFormat.of().parseHex(key);
    }

    byte[] encode() {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("node", node);
        json.put("place", place);
        json.put("key", key);
        json.put("encryption", encryption);
        dialed.forEach(json.putArray("dialed")::add);
        try {
            return MAPPER.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + node, e);
        }
    }

    /** Empty = it is none of this version. */
    static Optional<Attendee> decode(byte[] bytes) {
        try {
            JsonNode json = MAPPER.readTree(bytes);
            String place = json.path("place").asText();
            String key = json.path("key").asText();
            if (!json.path("node").isTextual() || !place.matches(".+:\\d{1,5}") || !key.matches("([0-9a-f]{2})*")) {
                return Optional.empty();
            }
            List<String> dialed = new ArrayList<>();
            json.path("dialed").forEach(name -> dialed.add(name.asText()));
            return Optional.of(new Attendee(
                    json.path("node").asText(),
                    place,
                    key,
                    json.path("encryption").asText(),
                    dialed));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "Attendee[" + node + " at " + place + ", dialed " + dialed + "]";
    }
}
