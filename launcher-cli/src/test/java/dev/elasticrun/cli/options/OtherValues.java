/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.tls.RunAuthority;
import dev.elasticrun.worker.contract.TlsFiles;
import dev.elasticrun.worker.contract.TlsMaterial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** For each flag that takes one a value which is not the default, as the configuration prints it. */
final class OtherValues {
    /** Flags that are refused beside one of the others. */
    static final Set<String> INSTEAD_OF_ANOTHER = Set.of("checkpoint-parity");

    private OtherValues() {}

    /** @param directory for files that must exist */
    static Function<Setting<?>, String> in(Path directory) throws IOException {
        Files.writeString(directory.resolve("key"), "0123456789abcdef");
        TlsFiles certificates = certificates(directory);
        Map<String, String> chosen = Map.ofEntries(
                Map.entry("nnodes", "2:5"),
                Map.entry("nproc-per-node", "3"),
                Map.entry("restart-policy", "soft-elastic"),
                Map.entry("max-restarts", "5/600s"),
                Map.entry("policy-path", directory.toString()),
                Map.entry("run-id", "r1"),
                Map.entry("rdzv-backend", "etcd"),
                Map.entry("rdzv-endpoint", "a:1,b:2379"),
                Map.entry("engine", "slurm"),
                Map.entry("local-addr", "10.1.2.3"),
                Map.entry("bind-addr", "127.0.0.1"),
                Map.entry("port-range", "7000-7100"),
                Map.entry("tls-cert", certificates.certificate().toString()),
                Map.entry("tls-key", certificates.key().toString()),
                Map.entry("tls-ca", certificates.authorities().toString()),
                Map.entry("etcd-cert", certificates.certificate().toString()),
                Map.entry("etcd-key", certificates.key().toString()),
                Map.entry("etcd-ca", certificates.authorities().toString()),
                Map.entry("java", "/bin/sh"),
                Map.entry("java-opts", "-Xmx1g '-Da=b c'"),
                Map.entry("class-path", "x.jar:y.jar"),
                Map.entry("class-data", "off"),
                Map.entry("env", "A=b=c"),
                Map.entry("runtime", "xgboost:own-tracker"),
                Map.entry("drain-signal", "USR1,USR2"),
                Map.entry("no-retry-exit-codes", "2,64"),
                Map.entry("bind-to", "numa"),
                Map.entry("tee", "0:1"),
                Map.entry("redirects", "2"),
                Map.entry("log-prefix", "${rank} "),
                Map.entry("local-ranks-filter", "0"),
                Map.entry("duplicate-stdout-filters", "loss,a,,b"),
                Map.entry("log-max-size", "64m"),
                Map.entry("dashboard-port", "0.0.0.0:8080"),
                Map.entry("metrics-port", "[::1]:9100"),
                Map.entry("log-format", "json"),
                Map.entry("log-level", "debug"),
                Map.entry("on-state-loss", "fail"),
                Map.entry("lease-ttl", "4s"),
                Map.entry("heartbeat-interval", "300ms"),
                Map.entry("scale-up-delay", "9ms"),
                Map.entry("replacement-wait", "9500ms"),
                Map.entry("peer-timeout", "12s"),
                Map.entry("operation-timeout", "31s"),
                Map.entry("hang-timeout", "32s"));
        return setting -> chosen.getOrDefault(setting.name(), byLabel(setting, directory));
    }

    /** For settings of which many a value will do. */
    private static String byLabel(Setting<?> setting, Path directory) {
        return switch (setting.kind().label()) {
            case "N" -> "5";
            case "TIME" -> "13s";
            case "FILE" -> directory.resolve("key").toString();
            case "DIR" -> directory.toString();
            case "URL" -> "http://collector:4318";
            default -> "other";
        };
    }

    /** The other flags without which one of them is refused. */
    static List<String> neededBy(Setting<?> flag, Path directory) {
        return switch (flag.name()) {
            case "nnodes", "checkpoint-dir" -> List.of("--run-id=r1");
            case "checkpoint-every" -> List.of("--run-id=r1", "--checkpoint-dir=" + directory);
            case "rdzv-backend" -> List.of("--rdzv-endpoint=a:1");
            case "tls-cert", "tls-key", "tls-ca" -> certificateFlags("tls-", flag.name(), directory);
            case "etcd-cert", "etcd-key" -> {
                List<String> needed = new ArrayList<>(certificateFlags("etcd-", flag.name(), directory));
                needed.add("--rdzv-endpoint=a:1");
                yield needed;
            }
            case "etcd-user" -> List.of("--rdzv-endpoint=a:1", "--etcd-password-file=" + directory.resolve("key"));
            case "etcd-password-file" -> List.of("--rdzv-endpoint=a:1", "--etcd-user=trainer");
            case "etcd-ca" -> List.of("--rdzv-endpoint=a:1");
            case "replacement-wait" -> List.of("--restart-policy=soft");
            case "spare-workers" -> List.of("--restart-policy=soft-elastic");
            default -> List.of();
        };
    }

    /** What belongs to one of them. */
    private static List<String> certificateFlags(String prefix, String given, Path directory) {
        return List.of("cert", "key", "ca").stream()
                .filter(part -> !given.equals(prefix + part))
                .map(part -> "--" + prefix + part + "=" + directory.resolve(part + ".pem"))
                .toList();
    }

    private static TlsFiles certificates(Path directory) throws IOException {
        TlsMaterial material = RunAuthority.of(new byte[16], "demo").issue("node", List.of("a", "b"));
        TlsFiles files = TlsFiles.in(directory);
        Files.write(files.certificate(), material.chainPem());
        Files.write(files.key(), material.keyPem());
        Files.write(files.authorities(), material.authoritiesPem());
        return files;
    }
}
