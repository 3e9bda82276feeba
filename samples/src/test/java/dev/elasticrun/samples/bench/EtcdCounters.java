/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * What an etcd has done since it was started, from its own metrics.
 *
 * @param revision of the key space: one step per transaction that wrote
 * @param puts keys written
 * @param transactions calls of Txn
 * @param ranges calls of Range
 * @param sentBytes to clients, over gRPC
 * @param cpuMillis of the process, user and system
 */
record EtcdCounters(long revision, long puts, long transactions, long ranges, long sentBytes, double cpuMillis) {

    static EtcdCounters read(String endpoint) {
        try (InputStream body =
                URI.create("http://" + endpoint + "/metrics").toURL().openStream()) {
            String metrics = new String(body.readAllBytes(), StandardCharsets.UTF_8);
            return new EtcdCounters(
                    (long) sum(metrics, "etcd_debugging_mvcc_current_revision"),
                    (long) sum(metrics, "etcd_debugging_mvcc_put_total"),
                    (long) sum(metrics, "grpc_server_started_total", "\"Txn\""),
                    (long) sum(metrics, "grpc_server_started_total", "\"Range\""),
                    (long) sum(metrics, "etcd_network_client_grpc_sent_bytes_total"),
                    sum(metrics, "process_cpu_seconds_total") * 1_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    EtcdCounters since(EtcdCounters before) {
        return new EtcdCounters(
                revision - before.revision,
                puts - before.puts,
                transactions - before.transactions,
                ranges - before.ranges,
                sentBytes - before.sentBytes,
                cpuMillis - before.cpuMillis);
    }

    private static double sum(String metrics, String name) {
        return sum(metrics, name, "");
    }

    private static double sum(String metrics, String name, String label) {
        return metrics.lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .filter(line -> line.contains(label))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
