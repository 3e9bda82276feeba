/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.driver;

import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.tune.store.PoolKeys;
import dev.elasticrun.tune.store.PoolProof;
import dev.elasticrun.tune.store.StoreMirror.Change;
import dev.elasticrun.tune.store.StudyCodec;
import dev.elasticrun.tune.store.TrialOrder;
import dev.elasticrun.tune.study.StudyPlanner;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The agents of a pool, and what they work for, as the store has it. Those that work for another study are left out. Pure. */
final class PoolView {
    private final PoolKeys keys;
    private final PoolProof proof;
    private final String study;
    private final TreeSet<String> live = new TreeSet<>();
    /** One that is not proved is nothing to the agent, either. */
    private final Map<String, Optional<TrialOrder>> orders = new HashMap<>();

    private final TreeSet<String> strangers = new TreeSet<>();
    private boolean isLoaded;

    PoolView(PoolKeys keys, PoolProof proof, String study) {
        this.keys = keys;
        this.proof = proof;
        this.study = study;
    }

    boolean isLoaded() {
        return isLoaded;
    }

    void apply(Change change) {
        if (change instanceof Change.All all) {
            live.clear();
            orders.clear();
            all.entries().forEach(this::written);
            isLoaded = true;
        } else if (change instanceof Change.Written written) {
            written(written.entry());
        } else if (change instanceof Change.Deleted deleted) {
            deleted(deleted.key());
        }
    }

    private void written(KeyValue entry) {
        if (entry.key().startsWith(keys.agents())) {
            String agent = entry.key().substring(keys.agents().length());
            if (proof.check(PoolProof.Kind.AGENT, agent, entry.value()).isPresent()) {
                live.add(agent);
            } else {
                strangers.add(agent);
            }
        } else if (entry.key().startsWith(keys.orders())) {
            String agent = entry.key().substring(keys.orders().length());
            orders.put(
                    agent,
                    proof.check(PoolProof.Kind.ORDER, agent, entry.value()).map(StudyCodec::order));
        }
    }

    private void deleted(String key) {
        if (key.startsWith(keys.agents())) {
            live.remove(key.substring(keys.agents().length()));
        } else if (key.startsWith(keys.orders())) {
            orders.remove(key.substring(keys.orders().length()));
        }
    }

    /** Live agents that this study may use, and the trial that each works for, or {@link StudyPlanner#NO_TRIAL}. */
    SortedMap<String, Integer> trials() {
        SortedMap<String, Integer> trials = new TreeMap<>();
        for (String agent : live) {
            Optional<TrialOrder> order = orders.getOrDefault(agent, Optional.empty());
            if (order.isEmpty() || order.get().study().equals(study)) {
                trials.put(agent, order.map(TrialOrder::trial).orElse(StudyPlanner.NO_TRIAL));
            }
        }
        return trials;
    }

    /** Agents that no longer live, and have orders of this study. */
    List<String> lost() {
        return orders.entrySet().stream()
                .filter(entry -> !live.contains(entry.getKey()))
                .filter(entry -> entry.getValue()
                        .filter(order -> order.study().equals(study))
                        .isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Agents that have come since the last call and have another key. */
    List<String> takeStrangers() {
        List<String> taken = List.copyOf(strangers);
        strangers.clear();
        return taken;
    }

    /** Live agents that work for a trial. */
    List<String> of(int trial) {
        return trials().entrySet().stream()
                .filter(entry -> entry.getValue() == trial)
                .map(Map.Entry::getKey)
                .toList();
    }
}
