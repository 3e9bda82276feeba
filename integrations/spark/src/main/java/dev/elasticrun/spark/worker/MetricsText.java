/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Values of metrics after each boosting round, as a file: a line for each metric with its name and the values. */
public final class MetricsText {
    private static final String GAP = " ";

    private MetricsText() {}

    public static byte[] write(Map<String, double[]> metrics) {
        StringBuilder text = new StringBuilder();
        metrics.forEach((name, values) -> {
            text.append(name);
            for (double value : values) {
                text.append(GAP).append(value);
            }
            text.append('\n');
        });
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** What {@link #write} wrote. */
    public static Map<String, double[]> parse(byte[] text) {
        Map<String, double[]> metrics = new LinkedHashMap<>();
        new String(text, StandardCharsets.UTF_8).lines().forEach(line -> {
            String[] words = line.split(GAP, -1);
            metrics.put(
                    words[0],
                    Arrays.stream(words)
                            .skip(1)
                            .mapToDouble(Double::parseDouble)
                            .toArray());
        });
        return metrics;
    }
}
