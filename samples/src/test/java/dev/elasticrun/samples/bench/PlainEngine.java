/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** No engine: agents are started one by one. */
final class PlainEngine implements Engine {
    private final EngineRun run;
    private final List<AgentProcess> agents = new ArrayList<>();

    PlainEngine(EngineRun run) {
        this.run = run;
    }

    @Override
    public String title() {
        return "hand";
    }

    @Override
    public void start() {
        for (int node = 0; node < NODES; node++) {
            startAgent();
        }
    }

    private void startAgent() {
        List<String> options = new ArrayList<>(run.options());
        options.add("--run-id=" + run.id());
        agents.add(AgentProcess.start(run.directory(), options, run.program()));
    }

    @Override
    public Map<String, Loss> losses() {
        Map<String, Loss> losses = new LinkedHashMap<>();
        losses.put("an agent gets TERM", loss(agent -> agent.signal("TERM")));
        losses.put("an agent gets KILL", loss(agent -> agent.jvm().destroyForcibly()));
        return losses;
    }

    private Loss loss(Consumer<AgentProcess> happens) {
        return new Loss() {
            @Override
            public Notice notice() {
                return Notice.NONE;
            }

            @Override
            public void happen() {
                happens.accept(agents.get(agents.size() - 1));
            }

            @Override
            public boolean isShown() {
                return false;
            }

            @Override
            public long bringBack() {
                long started = System.nanoTime();
                startAgent();
                return started;
            }
        };
    }

    @Override
    public String state() {
        return agents.stream().map(AgentProcess::console).collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        agents.forEach(AgentProcess::close);
    }
}
