/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.loop.SteppedLoop;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.StoreContact;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreFullException;
import dev.elasticrun.rendezvous.store.StoreReplacedException;
import dev.elasticrun.rendezvous.store.StoreUntrustedException;
import dev.elasticrun.rendezvous.view.StoreHealth.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StoreHealthTest {
    private static final Duration CALL = Duration.ofSeconds(1);
    private final StoreException silent = new StoreException("no answer", null);
    private final StoreException full = new StoreFullException("out of space", null);

    private final SteppedLoop loop = new SteppedLoop();
    private final List<String> told = new ArrayList<>();
    private final StoreHealth health = new StoreHealth(
            loop,
            new StoreContact("the store", Duration.ofSeconds(10), Duration.ofSeconds(60)),
            Duration.ofSeconds(3),
            this::record);

    @Test
    void failure_shorterThanALease_isNotTold() {
        health.joined();
        fail(silent);
        answer(Service.ANY);

        loop.pass(Duration.ofMinutes(5));

        assertThat(told).isEmpty();
        assertThat(loop.waiting()).isZero();
    }

    @Test
    void silence_longerThanALease_isToldAndRemindedOfUntilItEnds() {
        health.joined();
        failFor(Duration.ofSeconds(15));
        answer(Service.ANY);

        assertThat(told)
                .containsExactly(
                        "trouble: the store has not answered for 3 s; waiting for it until --store-timeout (60 s) is over; no answer",
                        "trouble: the store has not answered for 13 s; waiting for it until --store-timeout (60 s) is over; no answer",
                        "well: the store has not answered for 15 s");
    }

    @Test
    void silence_untilTheStoreTimeout_losesTheStoreAtThatTime() {
        health.joined();
        failFor(Duration.ofSeconds(59));
        assertThat(told).noneMatch(line -> line.startsWith("lost"));

        loop.pass(Duration.ofSeconds(1));

        assertThat(told)
                .last()
                .isEqualTo("lost: the store has not answered for 60 s (--store-timeout is 60 s); no answer");
        assertThat(loop.waiting()).isZero();
    }

    @Test
    void silence_beforeJoining_endsWithTheFirstContact() {
        failFor(Duration.ofSeconds(10));

        assertThat(told)
                .first()
                .isEqualTo("trouble: the store has not answered for 3 s;"
                        + " waiting for it until --first-contact-timeout (10 s) is over; no answer");
        assertThat(told)
                .last()
                .isEqualTo("lost: the store did not answer within 10 s"
                        + " (expected: a server of etcd's v3 API; no answer)");
    }

    @Test
    void silence_whileThisProcessIsFrozen_doesNotCount() {
        health.joined();
        long sentNanos = loop.nowNanos();
        loop.freeze(Duration.ofMinutes(5));
        health.onFailure(sentNanos, silent);
        loop.pass(CALL);
        fail(silent);
        loop.freeze(Duration.ofMinutes(5));
        answer(Service.ANY);

        assertThat(told).noneMatch(line -> line.startsWith("lost"));
    }

    @Test
    void refusal_isToldAtOnceAndNotEndedByOtherAnswers() {
        health.joined();
        for (int i = 0; i < 60; i++) {
            answer(Service.ANY);
            fail(full);
        }

        assertThat(told)
                .contains(
                        "trouble: the store has refused writes for 1 s; waiting for it until --store-timeout (60 s) is over; out of space");
        assertThat(told)
                .last()
                .isEqualTo("lost: the store has refused writes for 60 s (--store-timeout is 60 s); out of space");
    }

    @Test
    void refusal_endedByAWrite_isToldOnce() {
        health.joined();
        fail(full);
        answer(Service.WRITE);
        loop.pass(Duration.ofMinutes(5));

        assertThat(told).hasSize(2).last().isEqualTo("well: the store has refused writes for 1 s");
    }

    @Test
    void refusal_ofAWriteThatNobodyRepeats_isForgotten() {
        health.joined();
        fail(full);

        loop.pass(Duration.ofMinutes(5));

        assertThat(told).noneMatch(line -> line.startsWith("lost"));
        assertThat(loop.waiting()).isZero();
    }

    @Test
    void replaced_isLostAtOnce() {
        health.joined();
        fail(new StoreReplacedException("another store answers"));
        fail(silent);

        assertThat(told).containsExactly("lost: the store: another store answers");
    }

    @Test
    void untrusted_beforeJoining_isToldAsWhatItIs() {
        fail(new StoreUntrustedException("certificate of another", null));

        assertThat(told).containsExactly("untrusted: the store: certificate of another");
    }

    private void failFor(Duration time) {
        long endNanos = loop.nowNanos() + time.toNanos();
        while (loop.nowNanos() - endNanos < 0) {
            fail(silent);
        }
    }

    private void fail(StoreException failure) {
        long sentNanos = loop.nowNanos();
        loop.pass(CALL);
        health.onFailure(sentNanos, failure);
    }

    private void answer(Service service) {
        health.onAnswer(service, loop.nowNanos());
    }

    private void record(RendezvousEvent.OfStore event) {
        if (event instanceof RendezvousEvent.StoreUntrusted untrusted) {
            told.add("untrusted: " + untrusted.reason());
        } else if (event instanceof RendezvousEvent.StoreLost lost) {
            told.add("lost: " + lost.reason());
        } else if (event instanceof RendezvousEvent.StoreTrouble trouble) {
            told.add("trouble: " + trouble.trouble());
        } else if (event instanceof RendezvousEvent.StoreWell well) {
            told.add("well: " + well.trouble());
        }
    }
}
