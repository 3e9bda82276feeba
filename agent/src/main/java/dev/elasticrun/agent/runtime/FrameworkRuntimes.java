/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.runtime;

import dev.elasticrun.rendezvous.restart.PolicyPath;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** The runtimes that are on the class path, or on {@code --policy-path}, and the one that is chosen. */
public final class FrameworkRuntimes {
    /** The name of the runtime that prepares nothing. */
    public static final String NONE = "none";

    private static final String FLAG = "--runtime";

    private final Collection<FrameworkRuntimeProvider> found;
    private final FrameworkRuntime chosen;

    private FrameworkRuntimes(Collection<FrameworkRuntimeProvider> found, FrameworkRuntime chosen) {
        this.found = List.copyOf(found);
        this.chosen = chosen;
    }

    /**
     * Finds all, and makes the one that a text chooses.
     *
     * @param choice NAME or NAME:OPTION
     * @param policyPath jars and directories to look into besides the class path, separated by ':'; empty = none
     * @throws IllegalArgumentException for an unknown name, with a list of the known ones, for an option that the runtime
     *     does not know, and for runtimes that cannot be loaded
     */
    public static FrameworkRuntimes of(String choice, String policyPath) {
        SortedMap<String, FrameworkRuntimeProvider> known = PolicyPath.services(
                FrameworkRuntimeProvider.class, FrameworkRuntimeProvider::name, FLAG, choice, policyPath);
        int colon = choice.indexOf(':');
        FrameworkRuntimeProvider provider = known.get(colon < 0 ? choice : choice.substring(0, colon));
        if (provider == null || colon == choice.length() - 1) {
            String usages =
                    known.values().stream().map(FrameworkRuntimeProvider::usage).collect(Collectors.joining(", "));
            throw new IllegalArgumentException(FLAG + ": " + choice + " (expected: one of " + usages + ")");
        }
        try {
            String option = colon < 0 ? "" : choice.substring(colon + 1);
            return new FrameworkRuntimes(known.values(), provider.create(option));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(FLAG + ": " + choice + " (" + e.getMessage() + ")", e);
        }
    }

    public FrameworkRuntime chosen() {
        return chosen;
    }

    /** Whether any of the frameworks has an event loop in that process, see {@link FrameworkRuntimeProvider#hasEventLoop}. */
    public boolean hasEventLoop(long pid) {
        return found.stream().anyMatch(framework -> framework.hasEventLoop(pid));
    }
}
