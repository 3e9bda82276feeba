/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.Section;

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
            public RuntimeException stop(String message) {
                return ElasticRuntime.stopRun(message);
            }
        };
    }
}
