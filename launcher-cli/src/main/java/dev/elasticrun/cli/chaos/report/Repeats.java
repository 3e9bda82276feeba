/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import java.util.List;

/**
 * How much work a run did again: the difference between how far workers were when a round ended, as they reported when
 * they paused or ended, and where the next round continued. Pure.
 *
 * @param steps done twice, by the counter of the program
 * @param versions checkpoints that were complete and from which no round continued
 * @param stateLosses rounds that began with nothing of what the run had
 */
record Repeats(long steps, long versions, int stateLosses) {

    /** @param events of all nodes, in the order of their times */
    static Repeats of(List<LoggedEvent> events, StepCounter counter) {
        long steps = ofSteps(events);
        long versions = ofVersions(events);
        int losses = (int) events.stream()
                .flatMap(event -> event.as(RunEvent.StateLost.class).stream())
                .mapToLong(lost -> lost.loss().lostRound())
                .distinct()
                .count();
        return new Repeats(counter == StepCounter.CHECKPOINTS ? versions : steps, versions, losses);
    }

    private static long ofSteps(List<LoggedEvent> events) {
        long highest = 0;
        long round = 0;
        long repeated = 0;
        for (LoggedEvent event : events) {
            if (event.event() instanceof RunEvent.OfProgress progress && event.round() >= round) {
                highest = Math.max(highest, progress.step());
            } else if (event.event() instanceof RunEvent.WorkerProgressed first && event.round() > round) {
                round = event.round();
                long back = highest - (first.step() - 1);
                repeated += Math.max(0, back);
                highest = back > 0 ? first.step() - 1 : highest;
            }
        }
        return repeated;
    }

    private static long ofVersions(List<LoggedEvent> events) {
        long highest = 0;
        long round = 0;
        long repeated = 0;
        for (LoggedEvent event : events) {
            if (event.event() instanceof RunEvent.OfProgress progress && event.round() >= round) {
                highest = Math.max(highest, progress.version());
            } else if (event.event() instanceof RunEvent.WorkerResumed resumed && resumed.resumedRound() > round) {
                round = resumed.resumedRound();
                repeated += Math.max(0, highest - resumed.version());
                highest = resumed.version();
            }
        }
        return repeated;
    }
}
