/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.context;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What workers inherit: the environment of the user who started the command. The script that starts this JVM gives it a
 * locale in which it can name any file where the caller's cannot, and states the caller's here. Pure.
 */
public final class InheritedEnvironment {
    /** System property: "=" and the caller's value of LC_ALL, or empty if it had none. Not set = as it is. */
    public static final String LOCALE_PROPERTY = "elasticrun.lc_all";

    private static final String LOCALE = "LC_ALL";

    private InheritedEnvironment() {}

    public static Map<String, String> of(Map<String, String> own, @Nullable String callersLocale) {
        if (callersLocale == null) {
            return own;
        }
        Map<String, String> callers = new TreeMap<>(own);
        if (callersLocale.isEmpty()) {
            callers.remove(LOCALE);
        } else {
            callers.put(LOCALE, callersLocale.substring(1));
        }
        return callers;
    }

    /** The same but for those variables. */
    public static Map<String, String> without(Set<String> names, Map<String, String> inherited) {
        Map<String, String> others = new TreeMap<>(inherited);
        others.keySet().removeAll(names);
        return others;
    }
}
