/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.agent;

import dev.elasticrun.agent.ElasticLauncher;
import dev.elasticrun.agent.RunStore;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.cli.log.LogSetup;
import dev.elasticrun.cli.options.LaunchOptions;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.tune.PoolMember;
import dev.elasticrun.spark.bridge.AgentProgress;
import dev.elasticrun.spark.bridge.Agents;
import dev.elasticrun.spark.bridge.BadLineException;
import dev.elasticrun.spark.bridge.NodeLine;
import dev.elasticrun.spark.bridge.RunningAgent;
import dev.elasticrun.spark.bridge.ServedStore;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Agents as the command starts them, but that signals, standard streams and other logs are left to the process. */
public final class IsolatedAgents implements Agents {
    /** Which hosts have; orders of a pool name others. */
    private static final String ANY_PROGRAM = "/bin/sh";

    private final Map<String, String> environment = System.getenv();

    /** Called by the bridge, which finds this class by its name. */
    public IsolatedAgents() {}

    @Override
    public NodeLine parse(List<String> line) {
        LaunchConfig config = inside(() -> config(line));
        int program = line.size() - config.arguments().size() - 1;
        boolean isMarked = program > 0 && line.get(program - 1).equals("--");
        return new NodeLine(
                line.subList(0, isMarked ? program - 1 : program),
                config.program(),
                config.arguments(),
                config.size().minNodes(),
                config.size().maxNodes(),
                config.get(Settings.RUN_ID),
                config.store().standalone() || !config.store().endpoints().isEmpty());
    }

    @Override
    public ServedStore serve(List<String> line, String runId, Path directory, String address) {
        return inside(() -> new Served(RunStore.serve(config(line), runId, directory, address)));
    }

    @Override
    public RunningAgent start(List<String> line, AgentProgress progress) {
        return inside(() -> {
            LaunchConfig config = config(line);
            LogSetup.choose(config.console().level(), config.console().format(), environment);
            try {
                ProgressListener listener = new ProgressListener(progress);
                ElasticLauncher.Running running = ElasticLauncher.start(config, listener);
                listener.servedAt(running::dashboard);
                return new IsolatedAgent(running);
            } catch (UncheckedIOException e) {
                throw new BadLineException(List.of(e.getMessage() + ": " + e.getCause()));
            }
        });
    }

    @Override
    public RunningAgent join(List<String> line, String pool) {
        return inside(() -> {
            List<String> whole = new ArrayList<>(line);
            whole.addAll(List.of("--", ANY_PROGRAM));
            LaunchConfig config = config(whole);
            LogSetup.choose(config.console().level(), config.console().format(), environment);
            try {
                return new PooledAgent(PoolMember.join(config, pool));
            } catch (UsageException e) {
                throw new BadLineException(e.violations());
            } catch (LaunchConfigException e) {
                throw new BadLineException(List.of(String.valueOf(e.getMessage())));
            }
        });
    }

    private LaunchConfig config(List<String> line) {
        try {
            return LaunchOptions.parse(line, environment)
                    .config()
                    .orElseThrow(() -> new BadLineException(List.of(
                            UsageException.line("the line", String.join(" ", line), "one that starts a program"))));
        } catch (UsageException e) {
            throw new BadLineException(e.violations());
        }
    }

    // Libraries look for services by the thread's class loader, which the threads that are started here have, too.
    private static <T> T inside(Supplier<T> call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(IsolatedAgents.class.getClassLoader());
        try {
            return call.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private record Served(RunStore store) implements ServedStore {
        @Override
        public String endpoint() {
            return store.endpoint();
        }

        @Override
        public Path keyFile() {
            return store.keyFile();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
