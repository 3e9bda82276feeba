/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.Project;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fault of a run of two nodes, and what the report of each of them is to have.
 *
 * @param slots workers of each node
 * @param exitCode of both agents
 * @param kind of the root cause; empty: there is none beside the reason
 * @param rank of the culprit; {@link #SECOND} = the only one of the second agent, {@link #ANY} = one of them
 * @param options of both agents
 * @param secondOptions of the second agent alone
 * @param inject what is done when all workers run
 * @param reports what the report holds, in this order; what begins with {@link #PERHAPS} depends on who is faster
 * @param explained what holds for the report of the last incident, besides what follows from kind, rank and exit code
 */
record FaultRow(
        String name,
        int slots,
        int exitCode,
        Optional<FailureKind> kind,
        int rank,
        List<String> options,
        List<String> secondOptions,
        List<String> program,
        Consumer<FaultScene> inject,
        List<String> reports,
        Consumer<IncidentReport> explained) {

    static final int SECOND = -1;
    static final int ANY = -2;
    /** Before what is only reported when a second worker failed before it was stopped because of the first. */
    static final String PERHAPS = "perhaps ";

    private static final int CULPRIT = 2;

    /** Rank 2 of four runs the script, the others sleep; {@code $0} is a file that all of them know. */
    static FaultRow script(String name, FailureKind kind, String script, String... reports) {
        return new FaultRow(
                name,
                2,
                1,
                Optional.of(kind),
                CULPRIT,
                List.of(),
                List.of(),
                List.of("sh", "-c", "if [ $RANK = " + CULPRIT + " ]; then " + script + "; fi; exec sleep 600"),
                scene -> {},
                List.of(reports),
                last -> {});
    }

    /** All sleep, and this is done to them. */
    static FaultRow asleep(
            String name, int exitCode, @Nullable FailureKind kind, Consumer<FaultScene> inject, String... reports) {
        return new FaultRow(
                name,
                2,
                exitCode,
                Optional.ofNullable(kind),
                CULPRIT,
                List.of(),
                List.of(),
                List.of("sleep", "600"),
                scene -> {
                    scene.awaitWorkers();
                    inject.accept(scene);
                },
                List.of(reports),
                last -> {});
    }

    /** Rank 1 of two does what {@link FaultProgram} knows under that name. */
    static FaultRow java(String name, FailureKind kind, String fault, String... reports) {
        return new FaultRow(
                name,
                1,
                1,
                Optional.of(kind),
                1,
                List.of("--class-path", Project.TEST_CLASS_PATH, "--main-class", FaultProgram.class.getName()),
                List.of(),
                List.of("samples/target/elastic-samples.jar", fault),
                scene -> {},
                List.of(reports),
                last -> {});
    }

    FaultRow with(String... more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return new FaultRow(name, slots, exitCode, kind, rank, all, secondOptions, program, inject, reports, explained);
    }

    FaultRow exits(int code) {
        return new FaultRow(name, slots, code, kind, rank, options, secondOptions, program, inject, reports, explained);
    }

    FaultRow of(int culprit) {
        return new FaultRow(
                name, slots, exitCode, kind, culprit, options, secondOptions, program, inject, reports, explained);
    }

    FaultRow explained(Consumer<IncidentReport> holds) {
        return new FaultRow(name, slots, exitCode, kind, rank, options, secondOptions, program, inject, reports, holds);
    }

    /** Only the second agent has these options. */
    FaultRow second(String... more) {
        return new FaultRow(
                name, slots, exitCode, kind, SECOND, options, List.of(more), program, inject, reports, explained);
    }

    /** What the report must hold, in this order. */
    List<String> required() {
        return reports.stream().filter(text -> !text.startsWith(PERHAPS)).toList();
    }

    /** Whether more than one may fail. */
    boolean severalFail() {
        return rank == ANY || reports.stream().anyMatch(text -> text.contains("also failed"));
    }

    @Override
    public String toString() {
        return name;
    }
}
