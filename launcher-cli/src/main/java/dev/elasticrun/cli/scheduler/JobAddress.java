/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.scheduler;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job on a scheduler, or with an empty id the scheduler itself: {@code slurm://42}. Pure.
 *
 * @param scheduler its name
 * @param id of the job, in the form that the scheduler knows; may be empty
 */
public record JobAddress(String scheduler, String id) {
    private static final Pattern FORM = Pattern.compile("([A-Za-z][A-Za-z0-9-]*)://(.*)");

    /** Empty if the text does not look like an address. */
    public static Optional<JobAddress> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches() ? Optional.of(new JobAddress(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    @Override
    public String toString() {
        return scheduler + "://" + id;
    }
}
