/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trainer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The status of a TrainJob as Trainer has it: how far it is, and named values. Pure.
 *
 * @param percent 0 to 100; empty = not known
 * @param secondsLeft empty = not known
 * @param metrics by name
 */
public record TrainerStatus(OptionalLong percent, OptionalLong secondsLeft, Map<String, String> metrics) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final long WHOLE = 100;

    public TrainerStatus {
        metrics = new LinkedHashMap<>(metrics);
    }

    /**
     * What is known of a job that goes on: it has all of its percents only when it has ended.
     *
     * @param step 0 = not known
     * @param total 0 = not known
     */
    public static OptionalLong percentOf(long step, long total) {
        return step > 0 && total > 0
                ? OptionalLong.of(Math.min(WHOLE - 1, (long) ((double) step / total * WHOLE)))
                : OptionalLong.empty();
    }

    /** The same job, when it has succeeded. */
    public TrainerStatus succeeded() {
        return new TrainerStatus(OptionalLong.of(WHOLE), OptionalLong.of(0), metrics);
    }

    /** As Trainer's server takes it. */
    String json(Instant now) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeObjectFieldStart("trainerStatus");
            if (percent.isPresent()) {
                json.writeNumberField("progressPercentage", percent.getAsLong());
            }
            if (secondsLeft.isPresent()) {
                json.writeNumberField(
                        "estimatedRemainingSeconds", Math.min(Integer.MAX_VALUE, secondsLeft.getAsLong()));
            }
            json.writeArrayFieldStart("metrics");
            for (Map.Entry<String, String> metric : metrics.entrySet()) {
                json.writeStartObject();
                json.writeStringField("name", metric.getKey());
                json.writeStringField("value", metric.getValue());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringField(
                    "lastUpdatedTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
