/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** How tests fail, by what they report and leave: tests that are to fail, run by JUnit itself. */
@Tag("once")
@Timeout(120)
final class FailuresIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Map<String, Path> DIRECTORIES = new ConcurrentHashMap<>();
    private static final Map<String, Throwable> FAILURES = new TreeMap<>();

    /** Is no test of this module: its name has none of the suffixes. */
    static final class Failing {
        @RegisterExtension
        static final ElasticRunExtension RUNS = ElasticRunExtension.ofNodes(1)
                .workersPerNode(1)
                .environment("COLOUR", "blue")
                .patience(Duration.ofSeconds(2));

        @Test
        void assertion(ElasticRun run) {
            DIRECTORIES.put("assertion", run.directory());
            run.start(CountProgram.class);
            run.awaitWorld(1, LIMIT);
            assertThat(1).as("what the user checks").isEqualTo(2);
        }

        @Test
        void hopelessWait(ElasticRun run) {
            DIRECTORIES.put("hopelessWait", run.directory());
            run.start(CountProgram.class);
            run.awaitWorld(1, LIMIT);
            run.awaitWorld(9, Duration.ofMillis(300));
        }

        @Test
        void processLeft(ElasticRun run) throws IOException {
            DIRECTORIES.put("processLeft", run.directory());
            run.start(CountProgram.class, "leave-a-process");
            run.awaitWorld(1, LIMIT);
            Files.createFile(run.directory().resolve("finish"));
            run.awaitEnd(LIMIT);
        }

        @Test
        void deathThatDoesNotHappen(ElasticRun run) {
            DIRECTORIES.put("deathThatDoesNotHappen", run.directory());
            run.deaths(Death.atStep(1_000_000).ofRank(0));
            run.start(CountProgram.class);
        }

        @Test
        void wrongFlag(ElasticRun run) {
            DIRECTORIES.put("wrongFlag", run.directory());
            run.start(Path.of("no-such.jar"));
        }

        @Test
        void interrupted(ElasticRun run) {
            DIRECTORIES.put("interrupted", run.directory());
            run.start(CountProgram.class);
            run.awaitWorld(1, LIMIT);
            Thread.currentThread().interrupt();
            run.awaitWorld(9);
        }

        @ElasticRunTest(nodes = 1, workersPerNode = 1)
        void runThatHasEnded(ElasticRun run) {
            DIRECTORIES.put("runThatHasEnded", run.directory());
            run.start(CountProgram.class);
            run.node(1).kill();
            run.awaitWorld(1);
        }
    }

    @BeforeAll
    static void runTestsThatFail() {
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(Failing.class))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                Thread.interrupted();
                                result.getThrowable()
                                        .ifPresent(failure -> FAILURES.put(
                                                test.getDisplayName().replaceAll("\\(.*", ""), failure));
                            }
                        });
        assertThat(FAILURES.keySet()).isEqualTo(DIRECTORIES.keySet());
    }

    @AfterAll
    static void deleteDirectories() {
        DIRECTORIES.values().forEach(FailuresIT::delete);
    }

    @Test
    void failureOfTheTest_keepsItsTypeAndHasTheStateBesideIt() {
        Throwable failure = failure("assertion");

        assertThat(failure).hasMessageContaining("what the user checks");
        assertThat(failure.getSuppressed()).singleElement().satisfies(state -> assertThat(state)
                .isInstanceOf(RunStateException.class)
                .hasMessageContaining("round 1 of 1 workers")
                .hasMessageContaining(directory("assertion").toString())
                .hasMessageContaining("agent-1.log:"));
        assertThat(directory("assertion").resolve("agent-1.log")).exists();
    }

    @Test
    void waitThatFails_reportsForWhatHowLongAndWhatItSaw() {
        Throwable failure = failure("hopelessWait");

        assertThat(failure)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(
                        "a round in which 9 workers work: not within 300 ms; last seen: round 1 of 1 workers")
                .hasMessageContaining("files of the run are in " + directory("hopelessWait"))
                .hasMessageContaining("rank 0, process ")
                .hasMessageContaining("agent-1.log:");
        assertThat(failure.getSuppressed()).isEmpty();
    }

    @Test
    void processThatIsLeft_failsTheTestAndIsKilled() {
        assertThat(failure("processLeft"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("left after the test: process ")
                .hasMessageContaining(": sleep 60");
        assertThat(Processes.carrying(ElasticRun.DIRECTORY + "=" + directory("processLeft"), List.of()))
                .isEmpty();
    }

    @Test
    void interruptOfTheTest_leavesNothing() {
        assertThat(failure("interrupted"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("interrupted");
        assertThat(failure("interrupted").getSuppressed()).hasSize(1);
        assertThat(Processes.carrying(ElasticRun.DIRECTORY + "=" + directory("interrupted"), List.of()))
                .isEmpty();
    }

    @Test
    void deathThatHasNotHappened_failsTheTest() {
        assertThat(failure("deathThatDoesNotHappen"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("scripted and did not happen: death OPERATION:0:1000000:0:-1");
    }

    @Test
    void lineThatAgentsWouldRefuse_startsNothing() {
        assertThat(failure("wrongFlag"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no-such.jar");
        assertThat(directory("wrongFlag")).doesNotExist();
    }

    @Test
    void waitForARunThatHasEnded_failsAtOnce() {
        assertThat(failure("runThatHasEnded"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a round in which 1 workers work: all agents have ended; ")
                .hasMessageContaining("ended with 137");
    }

    private static Throwable failure(String test) {
        return Objects.requireNonNull(FAILURES.get(test), test);
    }

    private static Path directory(String test) {
        return Objects.requireNonNull(DIRECTORIES.get(test), test);
    }

    private static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
