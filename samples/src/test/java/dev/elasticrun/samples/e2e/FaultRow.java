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
 * @param says what the report holds, in this order
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
        List<String> says) {

    static final int SECOND = -1;
    static final int ANY = -2;

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
                List.of(says));
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
                List.of(says));
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
                List.of(says));
    }

    FaultRow with(String... more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return new FaultRow(name, slots, exitCode, kind, rank, all, secondOptions, program, inject, says);
    }

    FaultRow exits(int code) {
        return new FaultRow(name, slots, code, kind, rank, options, secondOptions, program, inject, says);
    }

    FaultRow of(int culprit) {
        return new FaultRow(name, slots, exitCode, kind, culprit, options, secondOptions, program, inject, says);
    }

    /** Only the second agent has these options. */
    FaultRow second(String... more) {
        return new FaultRow(name, slots, exitCode, kind, SECOND, options, List.of(more), program, inject, says);
    }

    @Override
    public String toString() {
        return name;
    }
}
