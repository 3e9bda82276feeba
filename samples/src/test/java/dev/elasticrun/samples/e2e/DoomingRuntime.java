/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.FrameworkRuntimeProvider;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * The runtime for XGBoost, and in the first round a front before its tracker for one worker, which dies there. The option
 * is the worker's rank and where it dies, one of {@link TrackerFront.Point}: {@code dooming:1.ANSWERED}.
 */
public final class DoomingRuntime implements FrameworkRuntimeProvider {
    static final String NAME = "dooming";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public FrameworkRuntime create(String option) {
        String[] parts = option.split("\\.", -1);
        FrameworkRuntime whole = ServiceLoader.load(FrameworkRuntimeProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("xgboost"))
                .findFirst()
                .orElseThrow()
                .create("");
        return new Doomed(whole, Integer.parseInt(parts[0]), TrackerFront.Point.valueOf(parts[1]));
    }

    private record Doomed(FrameworkRuntime whole, int victim, TrackerFront.Point point) implements FrameworkRuntime {
        @Override
        public Set<String> reservedNames() {
            return whole.reservedNames();
        }

        @Override
        public boolean servesMasterEndpoint() {
            return whole.servesMasterEndpoint();
        }

        @Override
        public PreparedRound open(RuntimeRound round) throws IOException {
            PreparedRound prepared = whole.open(round);
            boolean isHere = victim >= round.own().firstRank()
                    && victim < round.own().firstRank() + round.own().slots();
            return round.number() == 1 && isHere ? new Fronted(prepared, victim, front(prepared)) : prepared;
        }

        private TrackerFront front(PreparedRound prepared) throws IOException {
            Map<String, String> values = prepared.values(victim);
            String host = values.getOrDefault("DMLC_TRACKER_URI", "");
            int port = Integer.parseInt(values.getOrDefault("DMLC_TRACKER_PORT", ""));
            return TrackerFront.start(host, port, point);
        }
    }

    private record Fronted(PreparedRound prepared, int victim, TrackerFront front) implements PreparedRound {
        @Override
        public Map<String, String> values(int rank) {
            Map<String, String> values = new HashMap<>(prepared.values(rank));
            if (rank == victim) {
                values.put("DMLC_TRACKER_URI", TrackerFront.HOST);
                values.put("DMLC_TRACKER_PORT", Integer.toString(front.port()));
            }
            return values;
        }

        @Override
        public void close() {
            front.close();
            prepared.close();
        }
    }
}
