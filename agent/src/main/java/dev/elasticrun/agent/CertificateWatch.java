/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.launch.TlsOptions;
import dev.elasticrun.agent.tls.CertificateEnd;
import dev.elasticrun.agent.tls.CertificateEnd.Stage;
import dev.elasticrun.rendezvous.loop.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that a user-supplied certificate is about to expire, and that it has expired: only this node can report why
 * other nodes refuse it. Owned by the loop.
 */
final class CertificateWatch {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);

    private final EventLoop loop;
    private final InstantSource clock;
    private final Consumer<RunEvent> journal;

    /** @param journal takes events */
    CertificateWatch(EventLoop loop, InstantSource clock, Consumer<RunEvent> journal) {
        this.loop = loop;
        this.clock = clock;
        this.journal = journal;
    }

    /** Reads when the given certificates expire. */
    static List<CertificateEnd> ends(TlsOptions tls) {
        Map<String, Optional<Path>> files = new LinkedHashMap<>();
        files.put("--tls-cert", tls.certificate());
        files.put("--etcd-cert", tls.etcdCertificate());
        List<CertificateEnd> ends = new ArrayList<>();
        files.forEach((flag, file) -> file.ifPresent(path -> {
            try {
                ends.add(CertificateEnd.of(flag, path));
            } catch (IOException removed) {
                // It was read and found well when this agent was configured.
                LOG.warn("{}: {}, so when it ends is not known", flag, removed.getMessage());
            }
        }));
        return ends;
    }

    void start(List<CertificateEnd> certificates) {
        certificates.forEach(certificate -> look(certificate, Stage.LASTING));
    }

    private void look(CertificateEnd certificate, Stage before) {
        Instant now = clock.instant();
        Stage stage = certificate.at(now);
        if (stage != before) {
            switch (stage) {
                case LASTING -> {}
                case ENDING -> {
                    LOG.warn("{}", certificate.text(now));
                    journal.accept(new RunEvent.CertificateEnding(
                            certificate.text(now), certificate.end().toString()));
                }
                case ENDED -> {
                    LOG.error("{}", certificate.text(now));
                    journal.accept(new RunEvent.CertificateEnded(
                            certificate.text(now), certificate.end().toString()));
                }
            }
        }
        if (stage != Stage.ENDED) {
            loop.schedule(certificate.nextLook(now), () -> look(certificate, stage));
        }
    }
}
