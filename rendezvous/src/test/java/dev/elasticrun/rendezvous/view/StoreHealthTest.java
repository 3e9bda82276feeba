/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.rendezvous.loop.SteppedLoop;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.RendezvousEvent.StoreLost;
import dev.elasticrun.rendezvous.record.RendezvousEvent.StoreTrouble;
import dev.elasticrun.rendezvous.record.RendezvousEvent.StoreUntrusted;
import dev.elasticrun.rendezvous.record.RendezvousEvent.StoreWell;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.StoreFullException;
import dev.elasticrun.rendezvous.store.StoreReplacedException;
import dev.elasticrun.rendezvous.store.StoreUntrustedException;
import dev.elasticrun.rendezvous.terms.StoreContact;
import dev.elasticrun.rendezvous.view.StoreHealth.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class StoreHealthTest {
    private static final Duration CALL = Duration.ofSeconds(1);
    private final StoreException silent = new StoreException("no answer", null);
    private final StoreException full = new StoreFullException("out of space", null);

    private final SteppedLoop loop = new SteppedLoop();
    private final List<RendezvousEvent.OfStore> reported = new ArrayList<>();
    private final StoreHealth health = new StoreHealth(
            loop,
            new StoreContact("the store", Duration.ofSeconds(10), Duration.ofSeconds(60)),
            Duration.ofSeconds(3),
            reported::add);

    @Test
    void failure_shorterThanALease_isNotReported() {
        health.joined();
        fail(silent);
        answer(Service.ANY);

        loop.pass(Duration.ofMinutes(5));

        assertThat(reported).isEmpty();
        assertThat(loop.waiting()).isZero();
    }

    @Test
    void silence_longerThanALease_isReportedAndRemindedOfUntilItEnds() {
        health.joined();
        failFor(Duration.ofSeconds(15));
        answer(Service.ANY);

        assertThat(reported)
                .hasExactlyElementsOfTypes(StoreTrouble.class, StoreTrouble.class, StoreWell.class)
                .extracting(StoreHealthTest::text)
                .satisfiesExactly(
                        first -> assertThat(first).contains(" 3 s"),
                        reminder -> assertThat(reminder).contains(" 13 s"),
                        end -> assertThat(end).contains(" 15 s"));
    }

    @Test
    void silence_untilTheStoreTimeout_losesTheStoreAtThatTime() {
        health.joined();
        failFor(Duration.ofSeconds(59));
        assertThat(reported).doesNotHaveAnyElementsOfTypes(StoreLost.class);

        loop.pass(Duration.ofSeconds(1));

        assertThat(reported).last().isInstanceOf(StoreLost.class);
        assertThat(loop.waiting()).isZero();
    }

    @Test
    void silence_beforeJoining_endsWithTheFirstContact() {
        failFor(Duration.ofSeconds(10));

        assertThat(reported).hasExactlyElementsOfTypes(StoreTrouble.class, StoreLost.class);
        assertThat(text(reported.get(0))).contains(" 3 s", "--first-contact-timeout");
        assertThat(text(reported.get(1))).contains(" 10 s");
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

        assertThat(reported).doesNotHaveAnyElementsOfTypes(StoreLost.class);
    }

    @Test
    void refusal_isReportedAtOnceAndNotEndedByOtherAnswers() {
        health.joined();
        for (int i = 0; i < 60; i++) {
            answer(Service.ANY);
            fail(full);
        }

        assertThat(reported).first().isInstanceOf(StoreTrouble.class);
        assertThat(reported).last().isInstanceOf(StoreLost.class);
        assertThat(text(reported.get(0))).contains(" 1 s", String.valueOf(full.getMessage()));
        assertThat(text(reported.get(reported.size() - 1))).contains(" 60 s", String.valueOf(full.getMessage()));
    }

    @Test
    void refusal_endedByAWrite_isReportedOnce() {
        health.joined();
        fail(full);
        answer(Service.WRITE);
        loop.pass(Duration.ofMinutes(5));

        assertThat(reported).hasExactlyElementsOfTypes(StoreTrouble.class, StoreWell.class);
    }

    @Test
    void refusal_ofAWriteThatNobodyRepeats_isForgotten() {
        health.joined();
        fail(full);

        loop.pass(Duration.ofMinutes(5));

        assertThat(reported).doesNotHaveAnyElementsOfTypes(StoreLost.class);
        assertThat(loop.waiting()).isZero();
    }

    @Test
    void replaced_isLostAtOnce() {
        health.joined();
        fail(new StoreReplacedException("another store answers"));
        fail(silent);

        assertThat(reported).hasExactlyElementsOfTypes(StoreLost.class);
    }

    @Test
    void untrusted_beforeJoining_isReportedAsWhatItIs() {
        fail(new StoreUntrustedException("certificate of another", null));

        assertThat(reported).hasExactlyElementsOfTypes(StoreUntrusted.class);
    }

    @Tag("golden")
    @Test
    void text_ofEachEvent_isAsInTheGoldenFile() throws IOException {
        GoldenFile golden = GoldenFile.of(StoreHealthTest.class, "store-health.txt");
        health.joined();
        failFor(Duration.ofSeconds(15));
        answer(Service.ANY);
        failFor(Duration.ofSeconds(60));
        golden.add("silence that ends, then one that does not", texts());
        StoreHealthTest first = new StoreHealthTest();
        first.failFor(Duration.ofSeconds(10));
        golden.add("silence before the first contact", first.texts());
        StoreHealthTest refusing = new StoreHealthTest();
        refusing.health.joined();
        refusing.fail(full);
        refusing.answer(Service.WRITE);
        refusing.fail(full);
        refusing.fail(new StoreReplacedException("another store answers"));
        golden.add("refused writes, then another store", refusing.texts());
        StoreHealthTest untrusted = new StoreHealthTest();
        untrusted.fail(new StoreUntrustedException("certificate of another", null));
        golden.add("a store that cannot be trusted", untrusted.texts());
        golden.assertSame();
    }

    private String texts() {
        return reported.stream()
                .map(event -> event.getClass().getSimpleName() + ": " + text(event))
                .collect(Collectors.joining("\n"));
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

    private static String text(RendezvousEvent.OfStore event) {
        if (event instanceof StoreUntrusted untrusted) {
            return untrusted.reason();
        } else if (event instanceof StoreLost lost) {
            return lost.reason();
        } else if (event instanceof StoreTrouble trouble) {
            return trouble.trouble();
        }
        return ((StoreWell) event).trouble();
    }
}
