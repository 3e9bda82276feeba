/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.doctor.Check;
import dev.elasticrun.agent.doctor.DoctorReport;
import dev.elasticrun.agent.doctor.Health;
import dev.elasticrun.agent.doctor.Latencies;
import dev.elasticrun.agent.doctor.PeerReport;
import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.cli.GoldenFile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class DoctorViewTest {
    private static final DoctorReport REPORT = new DoctorReport(
            "host-1",
            "10.0.0.1",
            List.of(
                    new Check("store", Health.OK, "etcd at 10.0.0.9:2379, version 3.4.23", ""),
                    new Check(
                            "writes of the store",
                            Health.WARNING,
                            "p50 90.00 ms, p99 120.00 ms of 50",
                            "look at its disk"),
                    new Check("node host\u001b[2J-2", Health.ERROR, "at 10.0.0.2:7000: UNAVAILABLE", "check routes")),
            List.of(new PeerReport("host-3", "10.0.0.3:7001", new Latencies(50, 150_000, 900_000), 1 << 30, -3, 1)));

    @Test
    @Tag("golden")
    void report_asText() throws IOException {
        GoldenFile.assertSame("doctor.txt", DoctorView.of(REPORT));
    }

    @Test
    void report_asJson_isThatOfItsSchema() {
        String json = DoctorJson.of(REPORT);

        SchemaFile.of("doctor.json").assertDescribes(json);
        assertThat(json)
                .contains(
                        "\"health\" : \"error\"", "\"round_trip_p50_ms\" : 0.15", "\"bytes_per_second\" : 1073741824");
    }
}
