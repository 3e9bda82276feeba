/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.SchedulerException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A job's id: {@code NAMESPACE/NAME}. */
record JobId(String namespace, String name) {
    private static final Pattern TEXT = Pattern.compile("([a-z0-9][a-z0-9.-]*)/([a-z0-9][a-z0-9.-]*)");

    /** @throws SchedulerException when it is none */
    static JobId parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw SchedulerException.of("id", text, "NAMESPACE/NAME, such as default/xgb");
        }
        return new JobId(matcher.group(1), matcher.group(2));
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
