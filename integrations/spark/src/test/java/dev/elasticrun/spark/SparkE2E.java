/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.StudyRun;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import dev.elasticrun.testing.Patience;
import dev.elasticrun.testing.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs in the executors of a real Spark: the loss of an executor is a loss of its workers, and of nothing else. */
@Timeout(240)
final class SparkE2E {
    private static final int EXECUTORS = 3;
    private static final Map<String, String> ENOUGH_FAILURES = Map.of("spark.task.maxFailures", "1000");

    @TempDir
    private static Path shared;

    private static SparkCluster daemons;

    @RegisterExtension
    final TestRun run = new TestRun();

    private SparkCluster spark;
    private ExecutorLosses losses;

    @BeforeAll
    static void startDaemons() throws IOException {
        daemons = SparkCluster.standalone(shared, Files.createDirectory(shared.resolve("tmp")), EXECUTORS);
    }

    @AfterAll
    static void stopDaemons() {
        daemons.close();
    }

    @BeforeEach
    void start() throws IOException {
        spark = daemons.forTest(run.directory(), run.temporary());
        losses = new ExecutorLosses(EXECUTORS, spark::logs);
    }

    @AfterEach
    void stop() {
        spark.close();
    }

    @Test
    void train_executorIsKilled_othersStay_replacementJoins_resultIsTheSame() throws Exception {
        int port = FreePort.find();
        Process driver = submit(
                Map.of(
                        "spark.task.maxFailures", "1000",
                        "spark.executor.heartbeatInterval", "2s",
                        "spark.ui.enabled", "true",
                        "spark.ui.port", Integer.toString(port)),
                "1:3");
        NodeLogs logs = logs();
        losses.loseOne(logs, ProcessHandle::destroyForcibly);
        if (spark.canHaveTab()) {
            String page =
                    awaitPage(port, "elastic-run-" + run.id(), "world 3", "world 2: ", "step ", "Page of an agent");
            Matcher address = Pattern.compile("<a href=\"(http[^\"]+)\">http").matcher(page);
            assertThat(address.find()).as(page).isTrue();
            assertThat(body(request(address.group(1)))).contains("<title>").doesNotContain("Exception");
        }

        run.hurryUp();
        assertEndedWell(driver);
        assertThat(spark.driverOutput())
                .contains("elastic-run: run " + run.id() + ": ")
                .containsPattern("INFO ElasticSpark: elastic-run-" + run.id() + ": .*step [0-9]+");
        Trained.assertFaultFree(Trained.in(logs.workerOutputs().stream()), TestRun.ENOUGH);
    }

    /** The world waits for the executor that takes the place of the lost one: all is as if nothing had happened. */
    @Test
    @Tag("slow")
    void pipelineIsFitted_threeExecutorsAreKilled_modelIsTheSame_savedLoadedAndUsed() throws Exception {
        Path logDirectory = Files.createDirectories(logDirectory());
        Process driver = spark.submit(
                ENOUGH_FAILURES,
                BoostPipeline.class,
                List.of(
                        Project.ROOT.resolve("samples/data/breast-cancer.csv").toString(),
                        run.directory().toString(),
                        "600",
                        logDirectory.toString()));
        Patience.until(
                "the undisturbed model",
                TestRun.LIMIT.multipliedBy(2),
                () -> spark.driverOutput().contains("calm model is saved"),
                spark::logs);
        NodeLogs logs = logs();
        losses.loseInTurn(logs, 3);

        assertEndedWell(driver);
        // A process reads the rows of one shard, once, and nothing again for as long as it lives. One that is killed in
        // its first round may have read nothing.
        List<String> reads = logs.workerOutputs().stream()
                .map(output -> output.lines()
                        .filter(line -> line.startsWith("read shard "))
                        .collect(Collectors.joining()))
                .filter(line -> !line.isEmpty())
                .toList();
        assertThat(reads).hasSizeBetween(EXECUTORS, EXECUTORS + 3).allSatisfy(line -> assertThat(line)
                .matches("read shard [0-2] of train: \\d+ rows, \\d+ bytes"));
        assertThat(Set.copyOf(reads)).hasSize(EXECUTORS);
        assertThat(spark.driverOutput())
                .contains("same model: true")
                .contains("rounds: 600")
                .contains("as XGBoost itself: true");
        assertThat(spark.driverOutput()).containsPattern("area under ROC: (1.0|0.99)");
    }

    @Test
    @Tag("slow")
    void modelsOfAllKindsAreFitted_whatIsUnusableIsNamed() throws Exception {
        Process driver = spark.submit(
                Map.of("spark.task.maxFailures", "1000", "spark.cores.max", "3"),
                BoostKinds.class,
                List.of(run.directory().resolve("data").toString()));

        // Six trainings, one after the other.
        assertEndedWell(driver, TestRun.LIMIT.multipliedBy(3));
        assertThat(spark.driverOutput())
                .contains("regression ended early: true")
                .containsPattern("regression error: 0\\.0[0-4]")
                .contains("classes: 3")
                .containsPattern("classes accuracy: (1\\.0|0\\.99)")
                .containsPattern("ranking score: (1\\.0|0\\.99)")
                .contains("a leaf for each tree: true")
                .contains("contributions are the prediction: true")
                .containsPattern("one more by the margin: (0\\.99999|1\\.0000)")
                .contains("one row: true")
                .contains("featuresCols: column c has values of type string (expected: numbers)")
                .contains("labelCol: column label: label 7.0 (expected: 0 to 1 for binary:logistic)")
                .contains("labelCol: column label: 20 rows with null or NaN (expected: a number in each row)")
                .contains("the data: 0 rows (expected: one or more to train on)")
                .contains("labelCol: column label: label 3.0 (expected: 0 to 2, as num_class is 3)")
                .contains("labelCol: column label: label 5.0 (expected: 0 to 1, as num_class is 2)")
                .contains("baseMarginCol: d (expected: one of ")
                .containsPattern("baseMarginCol: column c: \\d+ rows with null or NaN")
                .contains("baseMarginCol: c (expected: none, as the objective is multi:softprob")
                .contains("groupCol: '' (expected: a column, as the objective is rank:ndcg)")
                .contains("spark.cores.max: 3 (expected: for at least 4 executors, the minimum of nodes")
                .contains("minNodes: 4 (expected: at most maxNodes = 3)")
                .contains("dataDirectory: /proc/elastic-run (expected: a directory that can be written)")
                .contains("dataDirectory: not set (expected: a directory that driver and executors reach")
                .contains("dataDirectory: nowhere://host/data (expected: a directory that can be written)")
                .doesNotContain("refused: nothing");
    }

    @Test
    @Tag("slow")
    void fourModelsAreCrossValidated_anExecutorIsKilledInBetween_theOthersStay() throws Exception {
        Path logDirectory = Files.createDirectories(logDirectory());
        Process driver = spark.submit(
                ENOUGH_FAILURES,
                CrossValidation.class,
                List.of(run.directory().resolve("data").toString(), logDirectory.toString()));
        NodeLogs second = new NodeLogs(awaitRun(logDirectory, "-2"), spark::logs);
        losses.loseOneForGood(second, ProcessHandle::destroyForcibly);

        assertEndedWell(driver, TestRun.LIMIT.multipliedBy(3));
        assertThat(spark.driverOutput())
                .containsPattern("areas under ROC: \\[0\\.\\d+, (1.0|0.99\\d*)]")
                .contains("best: true")
                .contains("boosting rounds: 150");
    }

    /** The logs of a run, once there are any; it can be the second one of the application. */
    private Path awaitRun(Path logDirectory, String end) throws IOException {
        Patience.until(
                "run " + end,
                TestRun.LIMIT.multipliedBy(2),
                () -> run(logDirectory, end).isPresent(),
                spark::logs);
        return run(logDirectory, end).orElseThrow();
    }

    private static Optional<Path> run(Path logDirectory, String end) {
        try (Stream<Path> runs = Files.list(logDirectory)) {
            return runs.filter(name -> name.toString().endsWith(end)).findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tasks that wait are why Spark asks for executors. */
    @Test
    @Tag("slow")
    void dynamicAllocation_bringsTheExecutors_oneIsTerminated_itsAgentLeaves_replacementJoins() throws Exception {
        Process driver = submit(
                Map.of(
                        "spark.task.maxFailures", "1000",
                        "spark.dynamicAllocation.enabled", "true",
                        "spark.dynamicAllocation.shuffleTracking.enabled", "true",
                        "spark.dynamicAllocation.initialExecutors", "1",
                        "spark.dynamicAllocation.maxExecutors", "3"),
                "1:3");
        losses.loseOne(logs(), ProcessHandle::destroy);

        run.hurryUp();
        assertEndedWell(driver);
    }

    @Test
    @Tag("soak")
    void twoRuns_inOneApplication_eachHasItsResults() throws Exception {
        Process driver = spark.submit(ENOUGH_FAILURES, TwoRuns.class, Project.absolute(Project.training(40, 0)));

        assertEndedWell(driver);
        assertThat(spark.driverOutput())
                .containsPattern("-1 rank 0: 0\\.\\d{4}\n")
                .containsPattern("-2 rank 0: 0\\.\\d{4}\n");
    }

    @Test
    @Tag("slow")
    void driverIsKilled_executorsEnd_andTheirWorkersWithThem() throws Exception {
        Process driver = submit(ENOUGH_FAILURES, "1:3");
        NodeLogs logs = logs();
        logs.awaitTogether(0, EXECUTORS);
        List<ProcessHandle> executors = logs.workers().values().stream()
                .map(workers -> SparkCluster.executorOf(workers.get(0)))
                .toList();
        assertThat(executors).hasSize(EXECUTORS).doesNotHaveDuplicates();

        driver.destroyForcibly();

        Patience.until(
                "end of all workers and executors",
                TestRun.LIMIT,
                () -> logs.workers().isEmpty() && executors.stream().noneMatch(Processes::isRunning),
                spark::logs);
    }

    @Test
    @Tag("slow")
    void settingsThatBreakElasticity_areNamedInTheDriver_nothingIsStarted() throws Exception {
        Process driver =
                submit(Map.of("spark.task.maxFailures", "4", "spark.speculation", "true", "spark.cores.max", "2"), "3");

        assertThat(driver.waitFor(TestRun.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as(spark::logs)
                .isTrue();
        assertThat(driver.exitValue()).isOne();
        assertThat(spark.driverOutput())
                .contains("spark.task.maxFailures: 4 (expected: at least 100")
                .contains("spark.speculation: true (expected: false")
                .contains("spark.cores.max: 2 (expected: ");
    }

    /** Agents of a pool in executors, for a study that a process elsewhere drives. */
    @Test
    @Tag("slow")
    void study_withAgentsInExecutors_oneIsKilled_noTrialIsLost_poolEndsWithTheApplication() {
        try (StudyRun study = new StudyRun(run)) {
            study.writeForAPool();
            List<String> store = study.onEtcd();
            List<String> arguments = new ArrayList<>(List.of("--agents", Integer.toString(EXECUTORS)));
            arguments.addAll(study.pooled(store));
            Process pool = spark.submitPool(ENOUGH_FAILURES, arguments);
            study.drive(study.pooled(store));
            study.awaitOutput("trial 2/8 begins");

            spark.executors().get(0).destroyForcibly();

            study.assertNoTrialIsLost(spark::logs);
            List<ProcessHandle> executors = spark.executors();
            pool.destroy();
            Patience.until(
                    "end of all executors",
                    TestRun.LIMIT,
                    () -> executors.stream().noneMatch(Processes::isRunning),
                    spark::logs);
        }
    }

    /** Spark's own pages have one about the application's runs. */
    private String awaitPage(int port, String... texts) {
        HttpRequest request = request("http://127.0.0.1:" + port + "/elastic-run/");
        Patience.until(
                "a page of Spark with " + List.of(texts),
                TestRun.LIMIT,
                () -> Stream.of(texts).allMatch(body(request)::contains),
                () -> body(request));
        return body(request);
    }

    private static HttpRequest request(String address) {
        return HttpRequest.newBuilder(URI.create(address)).build();
    }

    private static String body(HttpRequest request) {
        try {
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertEndedWell(Process driver) throws InterruptedException {
        assertEndedWell(driver, TestRun.LIMIT);
    }

    private void assertEndedWell(Process driver, Duration limit) throws InterruptedException {
        assertThat(driver.waitFor(limit.toSeconds(), TimeUnit.SECONDS))
                .as(spark::logs)
                .isTrue();
        assertThat(driver.exitValue()).as(spark::logs).isZero();
    }

    private NodeLogs logs() throws IOException {
        return new NodeLogs(Files.createDirectories(logDirectory()), spark::logs);
    }

    private Path logDirectory() {
        return run.directory().resolve("logs");
    }

    private Process submit(Map<String, String> settings, String nodes) {
        List<String> line = new ArrayList<>(line(nodes));
        line.addAll(Project.absolute(run.training()));
        return spark.submit(settings, line);
    }

    private List<String> line(String nodes) {
        return List.of(
                "--run-id",
                run.id(),
                "--nnodes",
                nodes,
                "--lease-ttl",
                "10s",
                "--last-call-timeout",
                "60s",
                "--dashboard-port",
                "0",
                "--log-dir",
                logDirectory().toString());
    }
}
