/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.tls.CertificateEnd;
import dev.elasticrun.agent.tls.CertificateEnd.Stage;
import dev.elasticrun.rendezvous.loop.EventLoop;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that a certificate of the user is about to end, and that it has ended: nobody else can know why others refuse this
 * node. Owned by the loop.
 */
final class CertificateWatch {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);

    private final EventLoop loop;
    private final InstantSource clock;
    private final BiConsumer<String, Map<String, ?>> journal;

    /** @param journal takes events: their kind and fields */
    CertificateWatch(EventLoop loop, InstantSource clock, BiConsumer<String, Map<String, ?>> journal) {
        this.loop = loop;
        this.clock = clock;
        this.journal = journal;
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
                    record("certificate.ending", certificate, now);
                }
                case ENDED -> {
                    LOG.error("{}", certificate.text(now));
                    record("certificate.ended", certificate, now);
                }
            }
        }
        if (stage != Stage.ENDED) {
            loop.schedule(certificate.nextLook(now), () -> look(certificate, stage));
        }
    }

    private void record(String kind, CertificateEnd certificate, Instant now) {
        journal.accept(
                kind,
                Map.of(
                        "message",
                        certificate.text(now),
                        "end",
                        certificate.end().toString()));
    }
}
