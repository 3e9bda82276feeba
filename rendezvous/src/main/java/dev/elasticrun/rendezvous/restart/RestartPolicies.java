/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/** The policies that are on the class path. */
public final class RestartPolicies {
    private RestartPolicies() {}

    /**
     * The policy of a name; {@code soft} is short for {@code soft-no-replace}.
     *
     * @throws IllegalArgumentException for an unknown name; the message lists the known ones
     */
    public static RestartPolicyStrategy byName(String name) {
        SortedMap<String, RestartPolicyStrategy> known = new TreeMap<>();
        for (RestartPolicyStrategy strategy : ServiceLoader.load(RestartPolicyStrategy.class)) {
            known.put(strategy.name(), strategy);
        }
        RestartPolicyStrategy found = known.get(name.equals("soft") ? "soft-no-replace" : name);
        if (found == null) {
            throw new IllegalArgumentException("--restart-policy: " + name + " (expected: soft or one of "
                    + String.join(", ", known.keySet()) + ")");
        }
        return found;
    }
}
