/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads agents from the jars within this one, apart from all that Spark and its programs have: the class loader's parent
 * is that of the JDK's own classes, and only {@link dev.elasticrun.spark.bridge} is shared.
 */
public final class AgentLibrary {
    private static final String PLACE = "/META-INF/elastic-run/";
    // Beside each other, so that the command finds the worker API for programs that have none.
    private static final String COMMAND = "elastic-run.jar";
    private static final String XGBOOST_WORKER = "elastic-run-worker-xgboost.jar";
    private static final String WORKER = "elastic-run-worker-api.jar";
    private static final List<String> JARS = List.of(COMMAND, WORKER, XGBOOST_WORKER);
    private static final String IMPLEMENTATION = "dev.elasticrun.spark.agent.IsolatedAgents";

    // Guarded by this class.
    private static @Nullable Agents loaded;
    private static Path from = Path.of("");

    private AgentLibrary() {}

    /**
     * Unpacks the jars and loads the agents' classes, once in this process while the jars are there.
     *
     * @param directory an existing one that outlives all agents
     * @throws UncheckedIOException when the jars cannot be written
     */
    public static synchronized Agents load(Path directory) {
        Agents known = loaded;
        if (known != null && Files.exists(from.resolve(COMMAND))) {
            return known;
        }
        Agents fresh = loadFrom(directory);
        loaded = fresh;
        from = directory;
        return fresh;
    }

    /**
     * Those of these jars that are for workers whose program is a class of the application.
     *
     * @param directory that the agents were loaded to
     */
    public static List<Path> forWorkers(Path directory) {
        return List.of(directory.resolve(WORKER), directory.resolve(XGBOOST_WORKER));
    }

    private static Agents loadFrom(Path directory) {
        try {
            for (String jar : JARS) {
                unpack(jar, directory.resolve(jar));
            }
            ClassLoader loader = new Loader(new URL[] {
                directory.resolve(COMMAND).toUri().toURL(),
                AgentLibrary.class.getProtectionDomain().getCodeSource().getLocation()
            });
            return as(loader, () -> Class.forName(IMPLEMENTATION, true, loader)
                    .asSubclass(Agents.class)
                    .getConstructor()
                    .newInstance());
        } catch (MalformedURLException e) {
            throw new IllegalStateException("no URL of " + directory, e);
        }
    }

    private static void unpack(String jar, Path target) {
        try (InputStream content = AgentLibrary.class.getResourceAsStream(PLACE + jar)) {
            if (content == null) {
                throw new IllegalStateException("there is no " + jar
                        + " in the jar of elastic-run for Spark (expected: the whole jar, as built)");
            }
            Path unfinished = Files.createTempFile(target.getParent(), "." + jar, ".part");
            Files.copy(content, unfinished, StandardCopyOption.REPLACE_EXISTING);
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + target, e);
        }
    }

    // Threads that are started meanwhile, and libraries that look for services, see the agents' classes.
    private static Agents as(ClassLoader loader, Creation creation) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return creation.create();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("agents cannot be loaded", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("agents cannot be loaded", e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @FunctionalInterface
    private interface Creation {
        Agents create() throws ReflectiveOperationException;
    }

    private static final class Loader extends URLClassLoader {
        private static final String SHARED = Agents.class.getPackageName() + ".";

        static {
            registerAsParallelCapable();
        }

        Loader(URL[] jars) {
            super("elastic-run", jars, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.startsWith(SHARED)
                    ? AgentLibrary.class.getClassLoader().loadClass(name)
                    : super.loadClass(name, resolve);
        }
    }
}
