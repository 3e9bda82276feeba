/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.cli.agents.AgentGroup;
import dev.elasticrun.cli.agents.LauncherCommand;
import dev.elasticrun.cli.options.LaunchOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Agents of a pool on this host, each a process of its own, on a thread that starts them and replaces those that die. They end with
 * this process.
 */
final class LocalPool {
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 200;
    /** An agent that dies at once is not started again in a tight loop. */
    private static final Duration REST = Duration.ofSeconds(1);

    private final AgentGroup group;
    private final int count;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Thread thread;

    private LocalPool(AgentGroup group, int count) {
        this.group = group;
        this.count = count;
        this.thread = new Thread(this::keep, "local-pool");
        thread.setDaemon(true);
    }

    /**
     * @param launch with the flags by which agents reach the store
     * @param directory where each agent's output goes
     */
    static LocalPool start(
            LaunchConfig launch, String pool, int count, Path directory, Map<String, String> environment) {
        List<String> arguments = new ArrayList<>(List.of("agent", "--pool", pool));
        LaunchOptions.arguments(launch).stream()
                .takeWhile(argument -> !argument.equals("--"))
                .forEach(arguments::add);
        AgentGroup group = new AgentGroup(
                LauncherCommand.find(environment), arguments, variables -> {}, Optional.empty(), directory, GRACE);
        LocalPool started = new LocalPool(group, count);
        started.thread.start();
        return started;
    }

    private void keep() {
        try {
            do {
                boolean isShort = group.live().size() < count;
                if (isShort && !group.all().isEmpty() && group.all().size() >= count) {
                    TimeUnit.NANOSECONDS.sleep(REST.toNanos());
                }
                while (ending.getCount() > 0 && group.live().size() < count) {
                    group.start();
                }
            } while (!ending.await(POLL_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        group.close();
    }

    /** Ends all in good order, and waits for that. */
    void end() throws InterruptedException {
        ending.countDown();
        thread.join();
    }
}
