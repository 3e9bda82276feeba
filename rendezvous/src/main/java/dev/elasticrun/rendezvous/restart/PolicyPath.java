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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What users plug in: on the class path, and on a path of jars and directories of its own ({@code --policy-path}). */
public final class PolicyPath {
    private PolicyPath() {}

    /** The entries of a path, as they are separated in it. */
    public static List<Path> entries(String path) {
        return Arrays.stream(path.split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .toList();
    }

    /**
     * All services of a kind, by name.
     *
     * @param flag by which one of them is chosen, for messages
     * @param wanted the value of the flag
     * @param path jars and directories to look into besides the class path, separated by ':'; empty = none
     * @throws IllegalArgumentException for two of one name, and for services that cannot be loaded
     */
    public static <S> SortedMap<String, S> services(
            Class<S> kind, Function<S, String> name, String flag, String wanted, String path) {
        SortedMap<String, S> known = new TreeMap<>();
        try {
            for (S service : ServiceLoader.load(kind, loader(entries(path)))) {
                S other = known.put(name.apply(service), service);
                if (other != null) {
                    throw new IllegalArgumentException(flag + ": two are called " + name.apply(service) + ", "
                            + other.getClass().getName() + " and "
                            + service.getClass().getName() + " (expected: one of each name)");
                }
            }
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new IllegalArgumentException(
                    flag + ": " + wanted + " (expected: classes that can be loaded; " + e + ")", e);
        }
        return known;
    }

    /** Stays open: a service may need more of its classes at any time. */
    private static @Nullable ClassLoader loader(List<Path> path) {
        ClassLoader parent = Thread.currentThread().getContextClassLoader();
        if (path.isEmpty()) {
            return parent;
        }
        URL[] urls = path.stream().map(PolicyPath::url).toArray(URL[]::new);
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
