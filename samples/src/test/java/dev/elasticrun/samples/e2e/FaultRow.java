/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.samples.testing.Project;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A fault of a run of two nodes, and what the report of each of them is to say.
 *
 * @param slots workers of each node
 * @param exitCode of both agents
 * @param kind in the report's words; empty: there is no root cause beside the reason
 * @param rank of the culprit; {@link #SECOND} = the only one of the second agent, {@link #ANY} = one of them
 * @param options of both agents
 * @param secondOptions of the second agent alone
 * @param inject what is done when all workers run
 * @param says what the report holds, in this order; what begins with {@link #PERHAPS} depends on who is faster
 * @param explained what the explanation of the last incident holds, besides what follows from kind, rank and exit code
 */
record FaultRow(
        String name,
        int slots,
        int exitCode,
        String kind,
        int rank,
        List<String> options,
        List<String> secondOptions,
        List<String> program,
        Consumer<FaultScene> inject,
        List<String> says,
        List<String> explained) {

    static final int SECOND = -1;
    static final int ANY = -2;
    /** Before what is only said when a second worker failed before it was stopped because of the first. */
    static final String PERHAPS = "perhaps ";

    static final String EXCEPTION = "it failed with an exception";
    static final String EXIT_CODE = "it ended with an exit code other than 0";
    static final String SIGNAL = "it was killed by a signal";
    static final String OUT_OF_MEMORY = "it was killed for lack of memory";
    static final String HANG = "it made no progress";
    static final String STOPPED_THE_RUN = "it ended the run itself";

    private static final int CULPRIT = 2;

    /** Rank 2 of four runs the script, the others sleep; {@code $0} is a file that all of them know. */
    static FaultRow script(String name, String kind, String script, String... says) {
        return new FaultRow(
                name,
                2,
                1,
                kind,
                CULPRIT,
                List.of(),
                List.of(),
                List.of("sh", "-c", "if [ $RANK = " + CULPRIT + " ]; then " + script + "; fi; exec sleep 600"),
                scene -> {},
                List.of(says),
                List.of());
    }

    /** All sleep, and this is done to them. */
    static FaultRow asleep(String name, int exitCode, String kind, Consumer<FaultScene> inject, String... says) {
        return new FaultRow(
                name,
                2,
                exitCode,
                kind,
                CULPRIT,
                List.of(),
                List.of(),
                List.of("sleep", "600"),
                scene -> {
                    scene.awaitWorkers();
                    inject.accept(scene);
                },
                List.of(says),
                List.of());
    }

    /** Rank 1 of two does what {@link FaultProgram} knows under that name. */
    static FaultRow java(String name, String kind, String fault, String... says) {
        return new FaultRow(
                name,
                1,
                1,
                kind,
                1,
                List.of(
                        "--class-path",
                        Project.ROOT.resolve("samples/target/test-classes").toString(),
                        "--main-class",
                        FaultProgram.class.getName()),
                List.of(),
                List.of("samples/target/elastic-samples.jar", fault),
                scene -> {},
                List.of(says),
                List.of());
    }

    FaultRow with(String... more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return new FaultRow(name, slots, exitCode, kind, rank, all, secondOptions, program, inject, says, explained);
    }

    FaultRow exits(int code) {
        return new FaultRow(name, slots, code, kind, rank, options, secondOptions, program, inject, says, explained);
    }

    FaultRow of(int culprit) {
        return new FaultRow(
                name, slots, exitCode, kind, culprit, options, secondOptions, program, inject, says, explained);
    }

    /** In the explanation. */
    FaultRow explained(String... parts) {
        return new FaultRow(
                name, slots, exitCode, kind, rank, options, secondOptions, program, inject, says, List.of(parts));
    }

    /** Only the second agent has these options. */
    FaultRow second(String... more) {
        return new FaultRow(
                name, slots, exitCode, kind, SECOND, options, List.of(more), program, inject, says, explained);
    }

    /** What the report must hold, in this order. */
    List<String> required() {
        return says.stream().filter(text -> !text.startsWith(PERHAPS)).toList();
    }

    /** Whether more than one may fail. */
    boolean severalFail() {
        return rank == ANY || says.stream().anyMatch(text -> text.contains("also failed"));
    }

    /** The words of an explanation for this kind of failure, with what the report says of it. */
    List<String> how() {
        String first = says.stream()
                .filter(text -> !kind.equals(EXCEPTION) || !text.startsWith("exit code"))
                .findFirst()
                .orElse("");
        return switch (kind) {
            case EXCEPTION -> List.of(" failed with an exception: ", first);
            case EXIT_CODE -> List.of(" ended with " + first);
            case SIGNAL -> List.of(" was killed by " + first);
            case OUT_OF_MEMORY -> List.of(" was killed by the kernel for lack of memory: ");
            case HANG -> List.of(" made no progress and was killed by its agent: hang: ");
            case STOPPED_THE_RUN -> List.of(" ended the run itself: " + first);
            default -> List.of();
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
