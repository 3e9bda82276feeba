/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import dev.elasticrun.scheduler.JobSummary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The elements of one job, with those that were added to it. Pure.
 *
 * @param job its number
 * @param all at least one, in the order of arrays and indexes
 */
record Elements(String job, List<Element> all) {
    private static final Comparator<Element> ORDER = Comparator.comparing(
                    (Element element) -> Long.parseLong(element.array()))
            .thenComparing(Element::index);

    Elements {
        all = all.stream().sorted(ORDER).toList();
    }

    /** The jobs of elastic-run in the output of {@code squeue}, the newest first. */
    static List<Elements> parse(String output) {
        Map<Long, List<Element>> byJob = new TreeMap<>(Comparator.reverseOrder());
        output.lines().map(Element::parse).flatMap(Optional::stream).forEach(element -> byJob.computeIfAbsent(
                        Long.parseLong(element.job()), job -> new ArrayList<>())
                .add(element));
        List<Elements> jobs = new ArrayList<>();
        byJob.forEach((job, elements) -> jobs.add(new Elements(Long.toString(job), elements)));
        return jobs;
    }

    /** Those that run, or wait for a node. */
    List<Element> live() {
        return all.stream().filter(element -> !element.hasEnded()).toList();
    }

    /** The same without those that are about to end. */
    List<Element> staying() {
        return live().stream().filter(element -> !element.isLeaving()).toList();
    }

    /** Numbers of the arrays that have elements which stay. */
    List<String> arrays() {
        return staying().stream().map(Element::array).distinct().toList();
    }

    JobComment comment() {
        return all.get(0).comment();
    }

    JobSummary summary() {
        int running = (int) all.stream().filter(Element::runs).count();
        return new JobSummary(
                job, all.get(0).name(), state(), running, staying().size());
    }

    /** One of its elements' states: of those that have not ended if there are such, and otherwise the best end. */
    private String state() {
        List<Element> candidates = live().isEmpty() ? all : live();
        return candidates.stream()
                .map(Element::state)
                .filter(state -> state.equals(Element.RUNNING) || state.equals(Element.COMPLETED))
                .findFirst()
                .orElse(candidates.get(0).state());
    }

    /**
     * Which elements go when there are too many: those that wait before those that run, later ones before earlier ones. The
     * first of all is the last, as its agent may serve the store.
     *
     * @param count how many stay
     */
    List<Element> surplus(int count) {
        List<Element> inOrder = staying().stream()
                .sorted(Comparator.comparing((Element element) -> !isFirst(element))
                        .thenComparing(element -> !element.runs())
                        .thenComparing(ORDER))
                .toList();
        return inOrder.subList(Math.min(count, inOrder.size()), inOrder.size());
    }

    private boolean isFirst(Element element) {
        return element.array().equals(job) && element.index() == 0;
    }
}
