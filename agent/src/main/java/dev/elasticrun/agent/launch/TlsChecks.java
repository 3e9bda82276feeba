/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.tls.EtcdTls;
import dev.elasticrun.agent.tls.GivenTls;
import dev.elasticrun.worker.contract.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What must hold of certificates and keys that are given. Reads the files. */
public final class TlsChecks {
    private final TlsOptions tls;
    private final boolean isEtcd;
    private final List<String> endpoints;
    private final List<String> violations = new ArrayList<>();

    private TlsChecks(TlsOptions tls, boolean isEtcd, List<String> endpoints) {
        this.tls = tls;
        this.isEtcd = isEtcd;
        this.endpoints = endpoints;
    }

    /**
     * One line per violation; empty when all is well.
     *
     * @param isEtcd whether it is one, and not embedded
     */
    public static List<String> violations(TlsOptions tls, boolean isEtcd, List<String> endpoints) {
        TlsChecks checks = new TlsChecks(tls, isEtcd, endpoints);
        checks.checkNodes();
        checks.checkEtcd();
        return checks.violations;
    }

    /** The certificate files of nodes, if they are given. */
    public static Optional<TlsFiles> nodeFiles(TlsOptions tls) {
        return tls.isGiven()
                ? Optional.of(new TlsFiles(
                        tls.certificate().orElseThrow(),
                        tls.key().orElseThrow(),
                        tls.authorities().orElseThrow()))
                : Optional.empty();
    }

    /** The files by which an etcd is verified and may verify this node; empty = plain text. */
    public static Optional<EtcdTls.Files> etcdFiles(TlsOptions tls) {
        if (tls.etcdAuthorities().isPresent()) {
            return Optional.of(new EtcdTls.Files(tls.etcdAuthorities().get(), tls.etcdCertificate(), tls.etcdKey()));
        }
        return tls.authorities()
                .map(authorities -> new EtcdTls.Files(
                        authorities,
                        tls.etcdCertificate().or(tls::certificate),
                        tls.etcdKey().or(tls::key)));
    }

    private void checkNodes() {
        if (tls.insecure() && tls.on()) {
            violations.add("--insecure: with " + (tls.isGiven() ? "--tls-cert, --tls-key, --tls-ca" : "--tls")
                    + " (expected: one of them)");
        }
        if (!tls.isGiven()) {
            return;
        }
        Map<String, Optional<Path>> files = new LinkedHashMap<>();
        files.put("--tls-cert", tls.certificate());
        files.put("--tls-key", tls.key());
        files.put("--tls-ca", tls.authorities());
        if (areComplete(files)) {
            read(files, () -> GivenTls.read(nodeFiles(tls).orElseThrow()));
        }
    }

    private void checkEtcd() {
        Map<String, Optional<Path>> files = new LinkedHashMap<>();
        files.put("--etcd-cert", tls.etcdCertificate());
        files.put("--etcd-key", tls.etcdKey());
        boolean hasCertificate = files.values().stream().anyMatch(Optional::isPresent);
        if (!isEtcd) {
            if (hasCertificate || tls.etcdAuthorities().isPresent()) {
                violations.add(
                        "--etcd-ca, --etcd-cert, --etcd-key: without an etcd (expected: --rdzv-endpoint of an etcd; an"
                                + " embedded store uses what --tls sets)");
            }
            return;
        }
        Optional<EtcdTls.Files> used = etcdFiles(tls);
        if (used.isEmpty() && (tls.on() || hasCertificate)) {
            violations.add("--etcd-ca: not given (expected: the authorities that vouch for the etcd at "
                    + String.join(",", endpoints)
                    + ", since the run's nodes encrypt and its key must not reach the store in plain text)");
        } else if (used.isPresent() && (!hasCertificate || areComplete(files))) {
            files.put("--etcd-ca", tls.etcdAuthorities());
            read(files, () -> EtcdTls.credentials(used.get()));
        }
    }

    private boolean areComplete(Map<String, Optional<Path>> files) {
        List<String> missing = files.entrySet().stream()
                .filter(file -> file.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
        missing.forEach(
                flag -> violations.add(flag + ": not given (expected: " + String.join(", ", files.keySet()) + ")"));
        return missing.isEmpty();
    }

    private interface Reading {
        Object read() throws IOException;
    }

    // A message about a file begins with its name.
    private void read(Map<String, Optional<Path>> files, Reading reading) {
        try {
            reading.read();
        } catch (IOException e) {
            String problem = String.valueOf(e.getMessage());
            String flag = files.entrySet().stream()
                    .filter(file -> file.getValue()
                            .filter(path -> problem.startsWith(path + " ") || problem.startsWith(path + ":"))
                            .isPresent())
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse("--tls-ca");
            violations.add(flag + ": " + problem);
        }
    }
}
