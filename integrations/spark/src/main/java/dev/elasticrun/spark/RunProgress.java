/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.io.Serializable;
import org.apache.spark.util.AccumulatorV2;

/**
 * How far a run is, as an accumulator: it travels to the driver with the heartbeats of executors. Of what several executors
 * report, that of the newest round counts; of one round, the newest report.
 */
final class RunProgress extends AccumulatorV2<RunProgress.Report, RunProgress.Report> {
    private static final long serialVersionUID = 1;

    static final Report NOTHING = new Report(0, 0, "");

    // Written by a thread of the agent, read by the one that sends heartbeats.
    private volatile Report newest = NOTHING;

    /**
     * What one executor knows.
     *
     * @param round of its agent
     * @param number of reports before, in that executor
     * @param line text for users
     */
    record Report(long round, long number, String line) implements Serializable {
        boolean isNewerThan(Report other) {
            return round != other.round ? round > other.round : number > other.number;
        }

        @Override
        public String toString() {
            return line;
        }
    }

    /** The next report of this executor. */
    void report(long round, String line) {
        add(new Report(round, newest.number() + 1, line));
    }

    @Override
    public boolean isZero() {
        return newest.equals(NOTHING);
    }

    @Override
    public AccumulatorV2<Report, Report> copy() {
        RunProgress copy = new RunProgress();
        copy.newest = newest;
        return copy;
    }

    @Override
    public void reset() {
        newest = NOTHING;
    }

    @Override
    public void add(Report report) {
        if (report.isNewerThan(newest)) {
            newest = report;
        }
    }

    @Override
    public void merge(AccumulatorV2<Report, Report> other) {
        if (other instanceof RunProgress progress) {
            add(progress.newest);
        }
    }

    /** With an empty line until something is known. */
    @Override
    public Report value() {
        return newest;
    }
}
