/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts how often in a row XGBoost has failed in one round of the run, and records the last cause. The round ends when
 * a peer dies, so a rank that fails repeatedly in the same round fails for another reason. Pure.
 */
final class Failures {
    /** So often the same happens before the run is given up. */
    static final int LIMIT = 3;

    /** Length of a rank's report of its last failure. */
    static final int BYTES = 600;

    private static final List<String> OF_THE_NETWORK = List.of(
            "Encountered EOF",
            "Socket error",
            "Poll error",
            "Poll timeout",
            "Connection refused",
            "Connection reset",
            "Broken pipe",
            "Failed to receive",
            "timed out");

    private long round;
    private int count;
    private String reason = "";

    /** A failure of the network does not hide another one before it, from which it may have followed. */
    void add(long inRound, String message) {
        boolean isNew = inRound != round;
        if (isNew || reason.isEmpty() || !isOfTheNetwork(message)) {
            reason = message;
        }
        count = isNew ? 1 : count + 1;
        round = inRound;
    }

    /** A commit was made. */
    void clear() {
        count = 0;
        reason = "";
    }

    /** In a row, in that round. */
    int count(long inRound) {
        return inRound == round ? count : 0;
    }

    /** Why, in as many bytes as any rank's. */
    byte[] message() {
        int end = reason.indexOf("\nStack trace");
        byte[] text = (end < 0 ? reason : reason.substring(0, end)).strip().getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(text, BYTES);
    }

    /**
     * Summarizes the reports of all ranks, {@link #BYTES} each, in one sentence. Network failures are listed only if
     * there is no other: they are effects of another rank's failure.
     */
    static String describe(byte[] all) {
        List<String> causes = new ArrayList<>();
        List<String> effects = new ArrayList<>();
        for (int rank = 0; rank < all.length / BYTES; rank++) {
            String text = new String(all, rank * BYTES, BYTES, StandardCharsets.UTF_8)
                    .replaceFirst("(?s)\0.*", "")
                    .replaceAll("\\s+", " ")
                    .strip();
            if (!text.isEmpty()) {
                (isOfTheNetwork(text) ? effects : causes).add("rank " + rank + ": " + text);
            }
        }
        List<String> parts = causes.isEmpty() ? effects : causes;
        return "XGBoost failed " + LIMIT + " times in a row, and no worker was lost. "
                + (parts.isEmpty() ? "No rank reports why." : String.join("; ", parts));
    }

    private static boolean isOfTheNetwork(String text) {
        return OF_THE_NETWORK.stream().anyMatch(text::contains);
    }
}
