/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

/**
 * What a user wrote to choose a policy.
 *
 * @param flag by which it was chosen, for messages
 * @param text NAME or NAME:OPTION
 */
record GivenPolicy(String flag, String text) {
    static final String SEPARATOR = ":";

    /** @throws IllegalArgumentException when nothing follows the colon */
    static GivenPolicy parse(String flag, String text) {
        GivenPolicy given = new GivenPolicy(flag, text);
        if (given.hasOption() && given.option().isEmpty()) {
            throw given.unlike("an option after the colon, or " + given.name());
        }
        return given;
    }

    private boolean hasOption() {
        return text.contains(SEPARATOR);
    }

    String name() {
        return hasOption() ? text.substring(0, text.indexOf(SEPARATOR)) : text;
    }

    private String option() {
        return text.substring(text.indexOf(SEPARATOR) + 1);
    }

    /** The policy of that name with the option, if there is one. */
    RestartPolicyStrategy of(RestartPolicyStrategy named) {
        if (!hasOption()) {
            return named;
        }
        try {
            return new PolicyWithOption(named.withOption(option()), option());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(message(String.valueOf(e.getMessage())), e);
        } catch (RuntimeException | LinkageError e) {
            throw new IllegalArgumentException(message("an option that the policy can read; " + e), e);
        }
    }

    IllegalArgumentException unlike(String expected) {
        return new IllegalArgumentException(message(expected));
    }

    private String message(String expected) {
        return flag + ": " + text + " (expected: " + expected + ")";
    }
}
