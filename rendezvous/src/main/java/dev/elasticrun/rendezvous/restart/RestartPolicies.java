/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.SortedMap;
import java.util.stream.Stream;

/** The policies that are on the class path, or on a path of their own. */
public final class RestartPolicies {
    private static final String FLAG = "--restart-policy";

    private static final String SOFT = "soft";

    private RestartPolicies() {}

    /** The policy of a name on the class path; see {@link #byName(String, String)}. */
    public static RestartPolicyStrategy byName(String name) {
        return byName(name, "");
    }

    /**
     * The policy of a name; {@code soft} is short for {@code soft-no-replace}.
     *
     * @param policyPath jars and directories to look into besides the class path, separated by ':'; empty = none
     * @throws IllegalArgumentException for an unknown name, with a list of the known ones, and for policies that cannot
     *     be loaded
     */
    public static RestartPolicyStrategy byName(String name, String policyPath) {
        SortedMap<String, RestartPolicyStrategy> known =
                PolicyPath.services(RestartPolicyStrategy.class, RestartPolicyStrategy::name, FLAG, name, policyPath);
        RestartPolicyStrategy found = known.get(fullName(name));
        if (found == null) {
            throw new IllegalArgumentException(
                    FLAG + ": " + name + " (expected: soft or one of " + String.join(", ", known.keySet()) + ")");
        }
        return found;
    }

    /**
     * The policy of a name, also of a run whose nodes have spare workers, or of the class that implements it.
     *
     * @param flag for messages
     * @param policyPath as of {@link #byName(String, String)}
     * @throws IllegalArgumentException when there is none, with a list of the known ones, and for policies that cannot be
     *     loaded
     */
    public static RestartPolicyStrategy byNameOrClass(String flag, String nameOrClass, String policyPath) {
        SortedMap<String, RestartPolicyStrategy> known = PolicyPath.services(
                RestartPolicyStrategy.class, RestartPolicyStrategy::name, flag, nameOrClass, policyPath);
        RestartPolicyStrategy named = known.get(fullName(nameOrClass));
        if (named != null) {
            return named;
        }
        return known.values().stream()
                .flatMap(policy -> Stream.concat(Stream.of(policy), policy.withSpares().stream()))
                .filter(policy -> policy.name().equals(nameOrClass)
                        || policy.getClass().getName().equals(nameOrClass))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        flag + ": " + nameOrClass + " (expected: soft or one of " + String.join(", ", known.keySet())
                                + ", or the class of one; others are found by --policy-path)"));
    }

    private static String fullName(String name) {
        return name.equals(SOFT) ? "soft-no-replace" : name;
    }
}
