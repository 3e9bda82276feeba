/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The policies that are on the class path, or on a path of their own. */
public final class RestartPolicies {
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
        SortedMap<String, RestartPolicyStrategy> known = new TreeMap<>();
        try {
            for (RestartPolicyStrategy strategy :
                    ServiceLoader.load(RestartPolicyStrategy.class, loader(path(policyPath)))) {
                RestartPolicyStrategy other = known.put(strategy.name(), strategy);
                if (other != null) {
                    throw new IllegalArgumentException("--restart-policy: two are called " + strategy.name() + ", "
                            + other.getClass().getName() + " and "
                            + strategy.getClass().getName() + " (expected: one of each name)");
                }
            }
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new IllegalArgumentException(
                    "--restart-policy: " + name + " (expected: policies that can be loaded; " + e + ")", e);
        }
        RestartPolicyStrategy found = known.get(name.equals("soft") ? "soft-no-replace" : name);
        if (found == null) {
            throw new IllegalArgumentException("--restart-policy: " + name + " (expected: soft or one of "
                    + String.join(", ", known.keySet()) + ")");
        }
        return found;
    }

    /** The entries of a path, as they are separated in it. */
    public static List<Path> path(String policyPath) {
        return Arrays.stream(policyPath.split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .toList();
    }

    /** Stays open: a policy may need more of its classes at any time. */
    private static @Nullable ClassLoader loader(List<Path> path) {
        ClassLoader parent = Thread.currentThread().getContextClassLoader();
        if (path.isEmpty()) {
            return parent;
        }
        URL[] urls = path.stream().map(RestartPolicies::url).toArray(URL[]::new);
        return new URLClassLoader("policy-path", urls, parent);
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("--policy-path: " + entry + " (expected: jars and directories)", e);
        }
    }
}
