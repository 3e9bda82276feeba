/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.Section;
import dev.elasticrun.worker.Trial;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/** What training reports to elastic-run beside its commits. */
interface Host {

    /** A part of the program that is reported to the hang detection. */
    interface Part {
        void close();
    }

    void progress(long step, long total);

    /** Begins work of this worker alone. */
    Part section(String name);

    /** Begins work within the group that XGBoost formed in that round: in native code, peers may be waited for there. */
    Part peerSection(String name, long round);

    /**
     * Reports rounds to the study that this training is a trial of, and returns whether to go on; true if there is none. All
     * ranks get the same.
     *
     * @param metrics by the number of rounds that were done, ascending; at least one
     */
    boolean goesOn(SortedMap<Integer, Map<String, Double>> metrics);

    /** Ends the run as failed. */
    RuntimeException stop(String message);

    /** The agent of this process. */
    static Host agent() {
        return new Host() {
            @Override
            public void progress(long step, long total) {
                ElasticRuntime.progress(step, total);
            }

            @Override
            public Part section(String name) {
                Section section = ElasticRuntime.section(name);
                return section::close;
            }

            @Override
            public Part peerSection(String name, long round) {
                Section section = ElasticRuntime.peerSection(name, round);
                return section::close;
            }

            @Override
            public boolean goesOn(SortedMap<Integer, Map<String, Double>> metrics) {
                Trial trial = Trial.current();
                int last = metrics.lastKey();
                metrics.headMap(last).forEach(trial::record);
                return trial.report(last, Objects.requireNonNull(metrics.get(last))) == Trial.Decision.GO_ON;
            }

            @Override
            public RuntimeException stop(String message) {
                return ElasticRuntime.stopRun(message);
            }
        };
    }
}
