/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.decisions.Replayed;
import java.util.List;

/** Decisions that were made again, for programs: names of fields stay as they are, new ones may come. Pure. */
public final class ReplayJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ReplayJson() {}

    public static String of(String run, long incident, List<Replayed> replayed) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("run", run);
        json.put("incident", incident);
        json.put("same", replayed.stream().allMatch(Replayed::isSame));
        ArrayNode decisions = json.putArray("decisions");
        replayed.forEach(one -> add(decisions.addObject(), one));
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + System.lineSeparator();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write decisions as JSON", e);
        }
    }

    private static void add(ObjectNode json, Replayed one) {
        json.put("node", one.stamp().node());
        json.put("time", one.stamp().time().toString());
        json.put("decides", one.decides());
        json.put("policy", one.policy());
        json.put("replayed_by", one.replayedBy());
        one.known().forEach(json.putArray("known")::add);
        one.answers().forEach(json.putArray("answers")::add);
        json.put("recorded", one.recorded());
        json.put("replayed", one.replayed());
        json.put("same", one.isSame());
        ArrayNode differences = json.putArray("differences");
        one.differences().forEach(difference -> differences
                .addObject()
                .put("field", difference.field())
                .put("recorded", difference.recorded())
                .put("replayed", difference.replayed()));
    }
}
