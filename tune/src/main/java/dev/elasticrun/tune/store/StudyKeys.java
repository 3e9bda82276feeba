/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.store;

import dev.elasticrun.rendezvous.store.KeyRange;
import java.util.Locale;

/**
 * Names of a study's keys:
 *
 * <pre>
 * definition                      what it was begun with
 * driver                          who decides for it, while that lives
 * stop                            it is to end
 * pool/0000000001                 the agents of the study at that change, and the trials that they work for
 * trials/000001/parameters        the trial has begun
 * trials/000001/reports/AGENT-1   lines of reports, in the order of their creation
 * trials/000001/control           how far it may go
 * trials/000001/ends/AGENT        how an agent's part in its run ended
 * trials/000001/result            how it ended
 * </pre>
 */
public record StudyKeys(String prefix) {
    private static final String STUDIES = "/elastic-run/studies/v1/";
    private static final String TRIALS = "trials/";
    private static final String POOL = "pool/";

    public static StudyKeys of(String study) {
        return new StudyKeys(STUDIES + study + "/");
    }

    public KeyRange all() {
        return KeyRange.prefix(prefix);
    }

    public String definition() {
        return prefix + "definition";
    }

    public String driver() {
        return prefix + "driver";
    }

    public String stop() {
        return prefix + "stop";
    }

    /** @param number of the change, from 1 */
    public String pool(int number) {
        return prefix + POOL + String.format(Locale.ROOT, "%010d", number);
    }

    public String parameters(int trial) {
        return trial(trial) + Part.PARAMETERS.text;
    }

    public String report(int trial, String agent, long number) {
        return trial(trial) + Part.REPORTS.text + "/" + agent + "-" + number;
    }

    public String control(int trial) {
        return trial(trial) + Part.CONTROL.text;
    }

    public String end(int trial, String agent) {
        return trial(trial) + Part.ENDS.text + "/" + agent;
    }

    public String result(int trial) {
        return trial(trial) + Part.RESULT.text;
    }

    private String trial(int trial) {
        return prefix + TRIALS + String.format(Locale.ROOT, "%06d/", trial);
    }

    /** What a key of a trial is about. */
    enum Part {
        PARAMETERS,
        REPORTS,
        CONTROL,
        ENDS,
        RESULT;

        private final String text = name().toLowerCase(Locale.ROOT);
    }

    /**
     * A key of a trial.
     *
     * @param rest after the part; empty = nothing follows
     */
    record OfTrial(int trial, Part part, String rest) {}

    /** Throws IllegalArgumentException if it is no key of a trial. */
    OfTrial parse(String key) {
        String[] words = key.substring(prefix.length()).split("/", 4);
        if (words.length < 3 || !TRIALS.equals(words[0] + "/")) {
            throw new IllegalArgumentException(key + " (expected: a key of a trial)");
        }
        return new OfTrial(
                Integer.parseInt(words[1]),
                Part.valueOf(words[2].toUpperCase(Locale.ROOT)),
                words.length == 4 ? words[3] : "");
    }

    boolean isOfPool(String key) {
        return key.startsWith(prefix + POOL);
    }

    int poolNumber(String key) {
        return Integer.parseInt(key.substring((prefix + POOL).length()));
    }

    /** Whether a key is one of a trial. */
    boolean isOfTrial(String key) {
        return key.startsWith(prefix + TRIALS);
    }
}
