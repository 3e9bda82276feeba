/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.engine;

import dev.elasticrun.agent.config.EngineChoice;
import dev.elasticrun.agent.config.Setting;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What starts agents on nodes, recognized by the variables that it sets. */
public enum Engine {
    SLURM(EngineChoice.SLURM, "SLURM_JOB_ID") {
        @Override
        void read(Map<String, String> environment, Collector values) {
            SlurmVariables.read(environment, values);
        }
    },
    KUBERNETES(EngineChoice.KUBERNETES, "KUBERNETES_SERVICE_HOST") {
        @Override
        void read(Map<String, String> environment, Collector values) {
            KubernetesVariables.read(environment, values);
        }
    };

    private final EngineChoice choice;
    private final String mark;

    Engine(EngineChoice choice, String mark) {
        this.choice = choice;
        this.mark = mark;
    }

    abstract void read(Map<String, String> environment, Collector values);

    /** As {@code --engine} has it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * A value of a setting.
     *
     * @param variable that it is from
     */
    public record Value(String variable, String text) {}

    /** The engine whose variables are read; of {@code AUTO} the first whose mark is in the environment. */
    public static Optional<Engine> chosen(EngineChoice choice, Map<String, String> environment) {
        return Arrays.stream(values())
                .filter(engine -> choice == EngineChoice.AUTO
                        ? !environment.getOrDefault(engine.mark, "").isEmpty()
                        : engine.choice == choice)
                .findFirst();
    }

    /**
     * What it gives.
     *
     * @param meetsOthers whether it is known where the nodes of the run meet: without, what it gives for several nodes counts
     *     for nothing
     */
    public Map<Setting<?>, Value> values(Map<String, String> environment, boolean meetsOthers) {
        Collector values = new Collector(environment, meetsOthers);
        read(environment, values);
        return values.found();
    }

    /** Collects what is there. */
    static final class Collector {
        private final Map<String, String> environment;
        private final boolean meetsOthers;
        private final Map<Setting<?>, Value> found = new LinkedHashMap<>();

        private Collector(Map<String, String> environment, boolean meetsOthers) {
            this.environment = environment;
            this.meetsOthers = meetsOthers;
        }

        /** The first of the variables that is set is the value. */
        void first(Setting<?> setting, String... variables) {
            for (String variable : variables) {
                String text = environment.getOrDefault(variable, "");
                if (!text.isEmpty() && !found.containsKey(setting)) {
                    found.put(setting, new Value(variable, text));
                }
            }
        }

        /** The same of what only has a meaning among several nodes. */
        void firstAmongNodes(Setting<?> setting, String... variables) {
            if (meetsOthers) {
                first(setting, variables);
            }
        }

        /** A value that is made from variables. */
        void put(Setting<?> setting, String variable, String text) {
            found.putIfAbsent(setting, new Value(variable, text));
        }

        boolean meetsOthers() {
            return meetsOthers;
        }

        Map<Setting<?>, Value> found() {
            return Collections.unmodifiableMap(found);
        }
    }
}
