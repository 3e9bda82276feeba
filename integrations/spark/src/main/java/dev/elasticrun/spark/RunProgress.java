/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.spark.bridge.AgentProgress;
import java.io.Serializable;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.spark.util.AccumulatorV2;

/**
 * How far a run is, as an accumulator: it travels to the driver with the heartbeats of executors. Of what several executors
 * report, that of the newest round counts; of one round, the newest report. Rounds are collected from all.
 */
final class RunProgress extends AccumulatorV2<RunProgress.View, RunProgress.View> implements AgentProgress {
    private static final long serialVersionUID = 3;

    static final View NOTHING = new View(new Report(0, 0, "", ""), new TreeMap<>());

    // Written by threads of the agent, read by the one that sends heartbeats.
    private volatile View view = NOTHING;

    /**
     * What one executor knows.
     *
     * @param round of its agent
     * @param number of reports before, in that executor
     * @param line text for users
     * @param page address of the agent's page; may be empty
     */
    record Report(long round, long number, String line, String page) implements Serializable {
        private Report newer(Report other) {
            boolean isNewer = round != other.round ? round > other.round : number > other.number;
            return isNewer ? this : other;
        }
    }

    /**
     * What is known of a run.
     *
     * @param newest report
     * @param rounds by number, each with its world size and cause
     */
    record View(Report newest, SortedMap<Long, String> rounds) implements Serializable {
        View {
            rounds = Collections.unmodifiableSortedMap(new TreeMap<>(rounds));
        }

        View and(View other) {
            SortedMap<Long, String> all = new TreeMap<>(rounds);
            all.putAll(other.rounds);
            return new View(newest.newer(other.newest), all);
        }

        /** For users: empty until something is known. */
        String line() {
            return newest.line();
        }
    }

    @Override
    public synchronized void at(long round, String line, String page) {
        add(new View(new Report(round, view.newest().number() + 1, line, page), new TreeMap<>()));
    }

    @Override
    public void began(long round, String line) {
        add(new View(NOTHING.newest(), new TreeMap<>(Collections.singletonMap(round, line))));
    }

    @Override
    public boolean isZero() {
        return view.equals(NOTHING);
    }

    @Override
    public AccumulatorV2<View, View> copy() {
        RunProgress copy = new RunProgress();
        copy.view = view;
        return copy;
    }

    @Override
    public void reset() {
        view = NOTHING;
    }

    @Override
    public synchronized void add(View other) {
        view = view.and(other);
    }

    @Override
    public void merge(AccumulatorV2<View, View> other) {
        if (other instanceof RunProgress progress) {
            add(progress.view);
        }
    }

    @Override
    public View value() {
        return view;
    }
}
