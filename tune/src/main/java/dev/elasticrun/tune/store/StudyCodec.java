/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.elasticrun.worker.contract.TrialFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is in the keys of studies and pools: JSON. */
public final class StudyCodec {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();
    private static final TypeReference<LinkedHashMap<String, Object>> OBJECT = new TypeReference<>() {};

    private StudyCodec() {}

    /** Parameters of a trial, as workers get them, too. */
    public static String parameters(Map<String, Object> parameters) {
        return text(parameters);
    }

    public static Map<String, Object> parameters(byte[] json) {
        return TrialFiles.config(new String(json, StandardCharsets.UTF_8));
    }

    public static byte[] order(TrialOrder order) {
        return bytes(text(order));
    }

    /** Throws UncheckedIOException if it is none. */
    public static TrialOrder order(byte[] json) {
        try {
            return MAPPER.readValue(json, TrialOrder.class);
        } catch (IOException e) {
            throw new UncheckedIOException("an order that cannot be read", e);
        }
    }

    /** How an agent's part in a run ended, or the trial itself: its failure, or nothing. */
    public static byte[] end(String failure) {
        return bytes(text(Map.of("failure", failure)));
    }

    /** Empty = it did not fail. */
    public static String end(byte[] json) {
        @Nullable Object failure = object(json).get("failure");
        return failure == null ? "" : failure.toString();
    }

    /** The agents of a study at a time, and the trials that they work for. */
    public static byte[] pool(Instant at, SortedMap<String, Integer> agents) {
        return bytes(text(Map.of("at", at.toString(), "agents", agents)));
    }

    /** Throws UncheckedIOException, or IllegalArgumentException, if it is none. */
    static StudyRecord.PoolChanged pool(int number, byte[] json) {
        Map<String, Object> members = object(json);
        SortedMap<String, Integer> agents = new TreeMap<>();
        if (members.get("agents") instanceof Map<?, ?> known) {
            known.forEach((agent, trial) -> agents.put(String.valueOf(agent), Integer.valueOf(String.valueOf(trial))));
        }
        try {
            return new StudyRecord.PoolChanged(number, Instant.parse(String.valueOf(members.get("at"))), agents);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("at: " + members.get("at") + " (expected: an ISO-8601 instant)", e);
        }
    }

    /** Any object of texts, numbers, lists and objects. */
    public static byte[] object(Map<String, Object> members) {
        return bytes(text(members));
    }

    /** Throws UncheckedIOException if it is none. */
    public static Map<String, Object> object(byte[] json) {
        try {
            return MAPPER.readValue(json, OBJECT);
        } catch (IOException e) {
            throw new UncheckedIOException("a record that cannot be read", e);
        }
    }

    /** One after the other, lines that cannot be read left out. */
    public static List<TrialFiles.Report> reports(byte[] lines) {
        return new String(lines, StandardCharsets.UTF_8)
                .lines()
                .flatMap(line -> report(line).stream())
                .toList();
    }

    // The writer of one that cannot be read was killed, and the step is reported again.
    private static Optional<TrialFiles.Report> report(String line) {
        try {
            return Optional.of(TrialFiles.Report.parse(line));
        } catch (IllegalArgumentException cut) {
            return Optional.empty();
        }
    }

    private static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
