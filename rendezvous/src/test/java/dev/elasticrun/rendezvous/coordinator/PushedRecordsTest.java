/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodeRecord;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PushedRecordsTest {
    private static final NodeRecord STORED = ofLease(5, 3);

    private final PushedRecords received = new PushedRecords();

    @Test
    void newerOf_nothingReceived_isTheStored() {
        assertThat(received.newerOf(STORED)).isSameAs(STORED);
    }

    @Test
    void newerOf_laterEditionReceived_isTheReceived() {
        NodeRecord later = ofLease(5, 4);
        received.add("a", later);
        received.add("a", ofLease(5, 2));

        assertThat(received.newerOf(STORED)).isSameAs(later);
    }

    @Test
    void newerOf_storeHasCaughtUp_isTheStored() {
        received.add("a", ofLease(5, 4));
        NodeRecord stored = ofLease(5, 5);

        assertThat(received.newerOf(stored)).isSameAs(stored);
    }

    @Test
    void newerOf_receivedOfAnotherLife_isTheStored() {
        received.add("a", ofLease(6, 9));

        assertThat(received.newerOf(STORED)).isSameAs(STORED);
    }

    @Test
    void add_recordOfAnotherNode_isNotTaken() {
        assertThat(received.add("b", ofLease(5, 4))).isFalse();

        assertThat(received.newerOf(STORED)).isSameAs(STORED);
    }

    @Test
    void newerOf_editionThatNoAgentCanHaveReached_isTheStoredAndTheNextCountsAgain() {
        received.add("a", ofLease(5, Long.MAX_VALUE));
        assertThat(received.newerOf(STORED)).isSameAs(STORED);

        NodeRecord later = ofLease(5, 4);
        received.add("a", later);
        assertThat(received.newerOf(STORED)).isSameAs(later);
    }

    @Test
    void retain_otherNodes_forgetsWhatWasReceived() {
        received.add("a", ofLease(5, 4));
        received.retain(Set.of("b"));

        assertThat(received.newerOf(STORED)).isSameAs(STORED);
    }

    private static NodeRecord ofLease(long leaseId, long edition) {
        return NodeFixture.of("a", 1).record().published(new NodeRecord.Publication(leaseId, List.of(), edition));
    }
}
