/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the workers of a trial and their agent exchange, in a directory of the node:
 *
 * <pre>
 * reports    appended by rank 0, a line for each report: {"step":3,"metrics":{"eval-logloss":"0.41"}}
 * control    replaced as a whole by the agent: {"until":12,"stop":0}
 * </pre>
 *
 * <p>Metrics are texts, since JSON has no NaN. A line that cannot be read is left out: its writer was killed.
 */
public record TrialFiles(Path directory) {
    /** Of {@link Control#until}: the trial is never judged. */
    public static final long NEVER = Long.MAX_VALUE;

    public Path reports() {
        return directory.resolve("reports");
    }

    public Path control() {
        return directory.resolve("control");
    }

    /**
     * What a trial has reached.
     *
     * @param step of the trial's own count, from 0
     * @param metrics by name, not a number and infinite ones included
     */
    public record Report(long step, Map<String, Double> metrics) {
        public Report {
            if (step < 0) {
                throw new IllegalArgumentException("step: " + step + " (expected: 0 or more)");
            }
            metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        }

        /** With the end of the line. */
        public byte[] line() {
            Map<String, String> texts = new LinkedHashMap<>();
            metrics.forEach((name, value) -> texts.put(name, Double.toString(value)));
            byte[] json =
                    new JsonWriter().put("step", step).put("metrics", texts).bytes();
            return (new String(json, StandardCharsets.UTF_8) + "\n").getBytes(StandardCharsets.UTF_8);
        }

        /** Throws IllegalArgumentException that names what is wrong. */
        public static Report parse(String line) {
            JsonFields fields = JsonFields.parse(line.getBytes(StandardCharsets.UTF_8));
            Map<String, Double> metrics = new LinkedHashMap<>();
            fields.strings("metrics").forEach((name, text) -> metrics.put(name, number(name, text)));
            return new Report(fields.integer("step"), metrics);
        }

        private static double number(String name, String text) {
            try {
                return Double.parseDouble(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("metrics." + name + ": " + text + " (expected: a number)", e);
            }
        }
    }

    /**
     * How far a trial may go.
     *
     * @param until the first step that is judged: workers that report it wait there; {@link #NEVER} = they never wait
     * @param stop whether the trial ends at that step
     */
    public record Control(long until, boolean stop) {
        /** Nothing is known yet: every report waits. */
        public static final Control UNKNOWN = new Control(0, false);

        public byte[] bytes() {
            return new JsonWriter()
                    .put("until", until)
                    .put("stop", stop ? 1 : 0)
                    .bytes();
        }

        /** Throws IllegalArgumentException that names what is wrong. */
        public static Control parse(byte[] json) {
            JsonFields fields = JsonFields.parse(json);
            return new Control(fields.integer("until"), fields.integer("stop") != 0);
        }
    }

    /**
     * The value of {@link WorkerEnv#TRIAL_CONFIG}: parameters by name, each a String, Long, Double or Boolean. Throws
     * IllegalArgumentException that names what is wrong.
     */
    public static Map<String, Object> config(String json) {
        Map<String, Object> config = new LinkedHashMap<>();
        JsonFields fields = JsonFields.parse(json.getBytes(StandardCharsets.UTF_8));
        fields.members().forEach((name, value) -> {
            if (value instanceof String
                    || value instanceof Long
                    || value instanceof Double
                    || value instanceof Boolean) {
                config.put(name, value);
            } else {
                throw fields.wrong(name, value, "a text, a number, true or false");
            }
        });
        return Collections.unmodifiableMap(config);
    }
}
