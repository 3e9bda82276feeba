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

    private final PushedRecords heard = new PushedRecords();

    @Test
    void newerOf_nothingHeard_isTheStored() {
        assertThat(heard.newerOf(STORED)).isSameAs(STORED);
    }

    @Test
    void newerOf_laterEditionHeard_isTheHeard() {
        NodeRecord later = ofLease(5, 4);
        heard.add("a", later);
        heard.add("a", ofLease(5, 2));

        assertThat(heard.newerOf(STORED)).isSameAs(later);
    }

    @Test
    void newerOf_storeHasCaughtUp_isTheStored() {
        heard.add("a", ofLease(5, 4));
        NodeRecord stored = ofLease(5, 5);

        assertThat(heard.newerOf(stored)).isSameAs(stored);
    }

    @Test
    void newerOf_heardOfAnotherLife_isTheStored() {
        heard.add("a", ofLease(6, 9));

        assertThat(heard.newerOf(STORED)).isSameAs(STORED);
    }

    @Test
    void add_recordOfAnotherNode_isNotTaken() {
        assertThat(heard.add("b", ofLease(5, 4))).isFalse();

        assertThat(heard.newerOf(STORED)).isSameAs(STORED);
    }

    @Test
    void newerOf_editionThatNoAgentCanHaveReached_isTheStoredAndTheNextCountsAgain() {
        heard.add("a", ofLease(5, Long.MAX_VALUE));
        assertThat(heard.newerOf(STORED)).isSameAs(STORED);

        NodeRecord later = ofLease(5, 4);
        heard.add("a", later);
        assertThat(heard.newerOf(STORED)).isSameAs(later);
    }

    @Test
    void retain_otherNodes_forgetsWhatWasHeard() {
        heard.add("a", ofLease(5, 4));
        heard.retain(Set.of("b"));

        assertThat(heard.newerOf(STORED)).isSameAs(STORED);
    }

    private static NodeRecord ofLease(long leaseId, long edition) {
        return NodeFixture.of("a", 1).record().published(new NodeRecord.Publication(leaseId, List.of(), edition));
    }
}
