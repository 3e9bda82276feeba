/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.Optional;
import java.util.SortedMap;

/** The policies that are on the class path, or on a path of their own. */
public final class RestartPolicies {
    private static final String FLAG = "--restart-policy";

    private static final String SOFT = "soft";

    private RestartPolicies() {}

    /** The policy of a choice on the class path; see {@link #byName(String, String)}. */
    public static RestartPolicyStrategy byName(String choice) {
        return byName(choice, "");
    }

    /**
     * The policy that a text chooses; {@code soft} is short for {@code soft-no-replace}. With an option its name is {@code
     * NAME:OPTION}.
     *
     * @param choice NAME or NAME:OPTION
     * @param policyPath jars and directories to look into besides the class path, separated by ':'; empty = none
     * @throws IllegalArgumentException for an unknown name, with a list of the known ones, for an option that the policy does
     *     not take, and for policies that cannot be loaded
     */
    public static RestartPolicyStrategy byName(String choice, String policyPath) {
        GivenPolicy chosen = GivenPolicy.parse(FLAG, choice);
        SortedMap<String, RestartPolicyStrategy> known = known(chosen, policyPath);
        return Optional.ofNullable(known.get(fullName(chosen.name())))
                .map(chosen::of)
                .orElseThrow(() -> chosen.unlike("soft or one of " + String.join(", ", known.keySet())));
    }

    /**
     * The policy that a text chooses, also of a run whose nodes have spare workers, or by the class that implements it.
     *
     * @param flag for messages
     * @param choice NAME or NAME:OPTION, or the same with the name of a class
     * @param policyPath as of {@link #byName(String, String)}
     * @throws IllegalArgumentException when there is none, with a list of the known ones, for an option that it does not
     *     take, and for policies that cannot be loaded
     */
    public static RestartPolicyStrategy byNameOrClass(String flag, String choice, String policyPath) {
        GivenPolicy chosen = GivenPolicy.parse(flag, choice);
        SortedMap<String, RestartPolicyStrategy> known = known(chosen, policyPath);
        RestartPolicyStrategy named = known.get(fullName(chosen.name()));
        if (named != null) {
            return chosen.of(named);
        }
        return known.values().stream()
                .flatMap(policy -> named(policy, chosen).stream())
                .findFirst()
                .orElseThrow(() -> chosen.unlike("soft or one of " + String.join(", ", known.keySet())
                        + ", or the class of one; others are found by --policy-path"));
    }

    private static Optional<RestartPolicyStrategy> named(RestartPolicyStrategy policy, GivenPolicy chosen) {
        if (isNamed(policy, chosen)) {
            return Optional.of(chosen.of(policy));
        }
        return policy.withSpares().filter(spared -> isNamed(spared, chosen)).flatMap(spared -> chosen.of(policy)
                .withSpares());
    }

    private static boolean isNamed(RestartPolicyStrategy policy, GivenPolicy chosen) {
        return policy.name().equals(chosen.name())
                || policy.getClass().getName().equals(chosen.name());
    }

    private static SortedMap<String, RestartPolicyStrategy> known(GivenPolicy chosen, String policyPath) {
        return PolicyPath.services(
                RestartPolicyStrategy.class, RestartPolicyStrategy::name, chosen.flag(), chosen.text(), policyPath);
    }

    private static String fullName(String name) {
        return name.equals(SOFT) ? "soft-no-replace" : name;
    }
}
