/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodeRecord;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PushedRecordsTest {
    private static final NodeRecord STORED =
            NodeFixture.of("a", 1).node().record().withLease(5).withEdition(3);

    private final PushedRecords heard = new PushedRecords();

    @Test
    void newerOf_nothingHeard_isTheStored() {
        assertThat(heard.newerOf(STORED)).isSameAs(STORED);
    }

    @Test
    void newerOf_laterEditionHeard_isTheHeard() {
        NodeRecord later = STORED.withEdition(4);
        heard.add("a", later);
        heard.add("a", STORED.withEdition(2));

        assertThat(heard.newerOf(STORED)).isSameAs(later);
    }

    @Test
    void newerOf_storeHasCaughtUp_isTheStored() {
        heard.add("a", STORED.withEdition(4));
        NodeRecord stored = STORED.withEdition(5);

        assertThat(heard.newerOf(stored)).isSameAs(stored);
    }

    @Test
    void newerOf_heardOfAnotherLife_isTheStored() {
        heard.add("a", STORED.withLease(6).withEdition(9));

        assertThat(heard.newerOf(STORED)).isSameAs(STORED);
    }

    @Test
    void add_recordOfAnotherNode_isNotTaken() {
        assertThat(heard.add("b", STORED.withEdition(4))).isFalse();

        assertThat(heard.newerOf(STORED)).isSameAs(STORED);
    }

    @Test
    void newerOf_editionThatNoAgentCanHaveReached_isTheStoredAndTheNextCountsAgain() {
        heard.add("a", STORED.withEdition(Long.MAX_VALUE));
        assertThat(heard.newerOf(STORED)).isSameAs(STORED);

        NodeRecord later = STORED.withEdition(4);
        heard.add("a", later);
        assertThat(heard.newerOf(STORED)).isSameAs(later);
    }

    @Test
    void retain_otherNodes_forgetsWhatWasHeard() {
        heard.add("a", STORED.withEdition(4));
        heard.retain(Set.of("b"));

        assertThat(heard.newerOf(STORED)).isSameAs(STORED);
    }
}
