/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.doctor.Check;
import dev.elasticrun.agent.doctor.DoctorReport;
import dev.elasticrun.agent.doctor.PeerReport;

/** A node's examination, for programs: names of fields stay as they are, new ones may come. Pure. */
public final class DoctorJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private DoctorJson() {}

    public static String of(DoctorReport report) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("node", report.node());
        json.put("address", report.address());
        json.put("health", report.health().text());
        ArrayNode checks = json.putArray("checks");
        report.checks().forEach(check -> add(checks.addObject(), check));
        ArrayNode peers = json.putArray("peers");
        report.peers().forEach(peer -> add(peers.addObject(), peer));
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + System.lineSeparator();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write an examination as JSON", e);
        }
    }

    private static void add(ObjectNode json, Check check) {
        json.put("name", check.name());
        json.put("health", check.health().text());
        json.put("found", check.found());
        json.put("advice", check.advice());
    }

    private static void add(ObjectNode json, PeerReport peer) {
        json.put("node", peer.node());
        json.put("address", peer.address());
        json.put("round_trip_p50_ms", peer.roundTrips().p50Millis());
        json.put("round_trip_p99_ms", peer.roundTrips().p99Millis());
        json.put("bytes_per_second", peer.bytesPerSecond());
        json.put("clock_ahead_ms", peer.clockMillis());
        json.put("clock_uncertainty_ms", peer.clockUncertaintyMillis());
    }
}
