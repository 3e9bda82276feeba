/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.cli.view.TraceJson;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes a trace file as its events are made: a long one does not fit into memory. */
public final class TraceOutput {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private TraceOutput() {}

    /**
     * @param incidents those that began before the first event are left out
     * @param out stays open
     */
    public static void write(String run, List<LoggedEvent> events, List<IncidentReport> incidents, OutputStream out) {
        try (JsonGenerator json = MAPPER.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
            json.writeStartObject();
            json.writeStringField("displayTimeUnit", "ms");
            json.writeObjectFieldStart("otherData");
            json.writeStringField("run", run);
            json.writeEndObject();
            json.writeArrayFieldStart("traceEvents");
            TraceJson.of(run, events, incidents, event -> write(json, event));
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static void write(JsonGenerator json, ObjectNode event) {
        try {
            MAPPER.writeTree(json, event);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static UncheckedIOException failed(IOException e) {
        return new UncheckedIOException("cannot write the trace", e);
    }
}
