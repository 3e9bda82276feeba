/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What trials run.
 *
 * @param program a jar, or anything that can be executed
 * @param arguments in which <code>${NAME}</code> is the value of a parameter, <code>${trial}</code> the trial's number and
 *     <code>${study}</code> the study's name
 * @param settings of the launch, by the names of flags without dashes, as texts
 * @param reuse whether a worker's process works for one trial after the other; for jars
 */
public record TrialProgram(String program, List<String> arguments, Map<String, List<String>> settings, boolean reuse) {
    private static final String TRIAL = "trial";
    private static final String STUDY = "study";
    private static final Pattern PLACE = Pattern.compile("\\$\\{([^}]*)\\}");

    public TrialProgram {
        arguments = List.copyOf(arguments);
        settings = new LinkedHashMap<>(settings);
    }

    /**
     * Throws IllegalArgumentException that names the places in texts for which there is no value.
     *
     * @param key of the study that has the texts
     * @param parameters names of all
     */
    public static void checkPlaces(String key, List<String> texts, Set<String> parameters) {
        Set<String> names = new TreeSet<>();
        for (String text : texts) {
            PLACE.matcher(text).results().map(match -> match.group(1)).forEach(names::add);
        }
        names.removeAll(parameters);
        names.removeAll(Set.of(TRIAL, STUDY));
        if (!names.isEmpty()) {
            throw new IllegalArgumentException(key + ": ${" + String.join("}, ${", names)
                    + "} (expected: trial, study, or a parameter: " + String.join(", ", parameters) + ")");
        }
    }

    /** The arguments of a trial; a parameter that does not apply to it is an empty text. */
    public List<String> arguments(String study, int trial, Map<String, Object> parameters) {
        return arguments.stream()
                .map(argument -> filled(argument, study, trial, parameters))
                .toList();
    }

    /** A text with the values of a trial in its places. */
    public static String filled(String text, String study, int trial, Map<String, Object> parameters) {
        Map<String, Object> values = new LinkedHashMap<>(parameters);
        values.put(TRIAL, trial);
        values.put(STUDY, study);
        return PLACE.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(String.valueOf(values.getOrDefault(match.group(1), ""))));
    }
}
