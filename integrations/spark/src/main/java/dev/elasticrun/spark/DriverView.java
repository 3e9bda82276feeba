/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.util.Optional;

/**
 * What the driver knows of a run: for its log, and for Spark's pages. Written by threads of Spark and by that which waits
 * for the run, read by those that serve pages.
 */
final class DriverView {
    private final String name;
    private final int maxNodes;
    private volatile RunProgress.View progress = RunProgress.NOTHING;
    private volatile Optional<String> ending = Optional.empty();

    /** @param name of the run's job, as Spark's pages show it */
    DriverView(String name, int maxNodes) {
        this.name = name;
        this.maxNodes = maxNodes;
    }

    String name() {
        return name;
    }

    int maxNodes() {
        return maxNodes;
    }

    RunProgress.View progress() {
        return progress;
    }

    /** What it does, or how it ended. */
    String state() {
        return ending.orElse("works");
    }

    /** Address of the page of the agent that reported last; empty if it has none, and when agents have ended. */
    String page() {
        return ending.isPresent() ? "" : progress.newest().page();
    }

    /** @return whether there is something new for users */
    synchronized boolean add(RunProgress.View more) {
        String before = progress.line();
        progress = progress.and(more);
        return !progress.line().equals(before);
    }

    void ended(String how) {
        ending = Optional.of(how);
    }
}
