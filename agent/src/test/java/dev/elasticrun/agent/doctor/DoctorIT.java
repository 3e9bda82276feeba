/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Doctors of one process, by a real etcd and by embedded stores. */
@Tag("once")
@Timeout(120)
final class DoctorIT {
    private static final Duration WAIT = Duration.ofSeconds(20);

    @TempDir
    private static Path etcdDirectory;

    private static EtcdProcess etcd;

    @TempDir
    private Path directory;

    private final List<String> news = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void startEtcd() {
        etcd = EtcdProcess.start(etcdDirectory);
    }

    @AfterAll
    static void stopEtcd() {
        etcd.close();
    }

    private DoctorReport examine(Duration wait, UnaryOperator<LaunchConfigBuilder> settings) {
        LaunchConfig config = settings.apply(LaunchConfig.builder("/bin/sh").logDir(directory))
                .build();
        return Doctor.examine(config, new DoctorOptions(OptionalLong.of(1 << 20), wait), news::add);
    }

    private List<DoctorReport> together(List<UnaryOperator<LaunchConfigBuilder>> nodes) {
        List<CompletableFuture<DoctorReport>> reports = new ArrayList<>();
        nodes.forEach(settings -> reports.add(CompletableFuture.supplyAsync(() -> examine(WAIT, settings))));
        return reports.stream().map(CompletableFuture::join).toList();
    }

    private static UnaryOperator<LaunchConfigBuilder> onEtcd(String run) {
        return builder -> builder.runId(run).rdzvEndpoints(List.of(etcd.endpoint()));
    }

    private static Check check(DoctorReport report, String name) {
        return report.checks().stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void assertNothingIsLeft() {
        assertThat(etcd.ctl("get", "--prefix", "--keys-only", "/elastic-run/")).isBlank();
        assertThat(etcd.ctl("lease", "list")).contains("found 0 leases");
    }

    @Test
    void node_withAnEtcd_isReady() throws IOException {
        DoctorReport report = examine(Duration.ZERO, onEtcd("alone"));

        assertThat(report.health()).as("%s", report.checks()).isNotEqualTo(Health.ERROR);
        assertThat(check(report, "store").found()).startsWith("etcd at " + etcd.endpoint() + ", version 3.");
        assertThat(check(report, "writes of the store").found()).contains("of 50");
        assertThat(check(report, "space of the store").found()).endsWith("no alarm");
        assertThat(check(report, "clock").found()).startsWith("not compared");
        assertThat(report.peers()).isEmpty();
        assertNothingIsLeft();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void node_withAStoreOfItsOwn_isReady() {
        DoctorReport report = examine(WAIT, builder -> builder.runId("own").standalone(true));

        assertThat(report.health()).as("%s", report.checks()).isNotEqualTo(Health.ERROR);
        assertThat(check(report, "store").found()).startsWith("the embedded store at 127.0.0.1:");
    }

    @Test
    void store_thatIsNotThere_isAnErrorWithItsAddress() {
        String nowhere = "127.0.0.1:" + FreePort.find();

        DoctorReport report = examine(Duration.ZERO, builder -> builder.rdzvEndpoints(List.of(nowhere))
                .firstContactTimeout(Duration.ofSeconds(1)));

        assertThat(report.health()).isEqualTo(Health.ERROR);
        assertThat(check(report, "store").found()).startsWith("etcd at " + nowhere + ": ");
    }

    @Test
    void two_ofOneRun_measureTheWayToEachOther() {
        List<DoctorReport> reports = together(List.of(onEtcd("pair"), onEtcd("pair")));

        for (int i = 0; i < 2; i++) {
            DoctorReport report = reports.get(i);
            assertThat(report.health()).as("%s", report.checks()).isNotEqualTo(Health.ERROR);
            assertThat(report.peers()).singleElement().satisfies(peer -> {
                assertThat(peer.roundTrips().p50Nanos()).isPositive();
                assertThat(peer.bytesPerSecond()).isPositive();
                assertThat(Math.abs(peer.clockMillis())).isLessThan(1000);
            });
            assertThat(report.peers().get(0).node())
                    .isEqualTo(reports.get(1 - i).node());
            assertThat(report.checks()).noneMatch(check -> check.name().equals("other nodes"));
        }
        assertNothingIsLeft();
    }

    /** Six ways, encrypted: that takes a while on few processors. */
    @Test
    @Tag("soak")
    void three_whoWaitForEachOther_areAllMeasured() {
        UnaryOperator<LaunchConfigBuilder> one = builder ->
                onEtcd("trio").apply(builder).nnodes(3, 3).bindAddr("0.0.0.0").localAddr("127.0.0.1");

        List<DoctorReport> reports = together(List.of(one, one, one));

        assertThat(reports).allSatisfy(report -> {
            assertThat(report.peers()).as("%s", report.checks()).hasSize(2);
            assertThat(check(report, "advertised address").health()).isEqualTo(Health.ERROR);
        });
        assertNothingIsLeft();
    }

    @Test
    void other_thatEncryptsOtherwise_isNamed() {
        List<DoctorReport> reports = together(List.of(
                builder -> onEtcd("mixed").apply(builder).bindAddr("0.0.0.0"),
                builder -> onEtcd("mixed").apply(builder).insecure(true)));

        assertThat(reports).allSatisfy(report -> assertThat(report.checks()).anySatisfy(check -> {
            assertThat(check.health()).isEqualTo(Health.ERROR);
            assertThat(check.found()).contains("'on'", "'off'");
        }));
    }

    @Test
    void other_withAnotherKey_isRefused() throws IOException {
        List<UnaryOperator<LaunchConfigBuilder>> nodes = new ArrayList<>();
        for (String key : List.of("0123456789abcdef", "fedcba9876543210")) {
            Path file = Files.writeString(directory.resolve(key), key);
            nodes.add(builder -> onEtcd("keys").apply(builder).runKeyFile(file).insecure(true));
        }

        assertThat(together(nodes))
                .allSatisfy(report -> assertThat(report.checks()).anySatisfy(check -> {
                    assertThat(check.health()).isEqualTo(Health.ERROR);
                    assertThat(check.found()).contains("different run keys");
                }));
    }

    @Test
    void two_whoServeTheStoreThemselves_meet() throws IOException {
        Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef");
        String place = "127.0.0.1:" + FreePort.find();
        UnaryOperator<LaunchConfigBuilder> one = builder -> builder.runId("embedded")
                .rdzvBackend("embedded")
                .rdzvEndpoints(List.of(place))
                .runKeyFile(key);

        assertThat(together(List.of(one, one))).allSatisfy(report -> {
            assertThat(report.health()).as("%s", report.checks()).isNotEqualTo(Health.ERROR);
            assertThat(report.peers()).hasSize(1);
        });
    }

    @Test
    void others_whoDoNotCome_areWaitedForAndMissed() {
        DoctorReport report = examine(Duration.ofMillis(300), onEtcd("lonely"));

        assertThat(check(report, "other nodes").found())
                .isEqualTo("0 of 1 came to be examined for run lonely within 300ms");
        assertThat(news).first().asString().startsWith("waiting for 1 more to be examined for this run, for at most");
        assertNothingIsLeft();
    }
}
