/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.HeldVersion;
import dev.elasticrun.rendezvous.record.MasterEndpoint;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rounds as a coordinator would publish them. */
public final class RoundFixture {
    private final long number;
    private boolean suspended;
    private Cause cause;
    private final List<Participant> participants = new ArrayList<>();
    private final List<StateSource> sources = new ArrayList<>();
    private final List<Order> orders = new ArrayList<>();
    private MasterEndpoint master = new MasterEndpoint("10.0.0.1", 5000);
    private int ranks;
    private RunVersion checkpoint = RunVersion.NONE;
    private long lastCommand;
    private final List<FailureHistory.Absence> absences = new ArrayList<>();
    private final List<FailureHistory.Link> brokenLinks = new ArrayList<>();

    private RoundFixture(long number) {
        this.number = number;
        this.cause = new Cause.Policy("cause " + number);
    }

    public static RoundFixture round(long number) {
        return new RoundFixture(number);
    }

    public RoundFixture with(String nodeId, int generation, int slots) {
        return with(nodeId, generation, slots, "default");
    }

    public RoundFixture with(String nodeId, int generation, int slots, String role) {
        int[] attempts = new int[slots];
        Arrays.fill(attempts, generation);
        return with(nodeId, generation, role, slots, attempts);
    }

    /** A node whose workers were started at different times; -1 = the slot has no worker in the round. */
    public RoundFixture withWorkers(String nodeId, int generation, int... attempts) {
        return with(nodeId, generation, "default", attempts.length, attempts);
    }

    /** The same of a node that has one worker more than it can have ranks. */
    public RoundFixture withSpare(String nodeId, int generation, int... attempts) {
        return with(nodeId, generation, "default", attempts.length - 1, attempts);
    }

    private RoundFixture with(String nodeId, int generation, String role, int slots, int... attempts) {
        List<Participant.Seat> seats = new ArrayList<>();
        for (int slot = 0; slot < attempts.length; slot++) {
            if (attempts[slot] >= 0) {
                seats.add(new Participant.Seat(slot, attempts[slot], 4000 + ranks + slot));
            }
        }
        NodeSpec spec = new NodeSpec(nodeId, nodeId, "10.0.0.1", 9000, role, slots);
        participants.add(new Participant(spec, 1, generation, ranks, seats));
        ranks += seats.size();
        return this;
    }

    public RoundFixture because(Cause why) {
        cause = why;
        return this;
    }

    public RoundFixture suspended() {
        suspended = true;
        return this;
    }

    /** Suspended, and these have gone. */
    RoundFixture without(String... nodeIds) {
        for (String nodeId : nodeIds) {
            absences.add(new FailureHistory.Absence(nodeId, FailureHistory.Absence.How.LOST));
        }
        return suspended();
    }

    /** Formed because of this link. */
    RoundFixture broken(String oneNode, String otherNode) {
        brokenLinks.add(FailureHistory.Link.between(oneNode, otherNode));
        return this;
    }

    /** Nodes without a rank that hold more. */
    RoundFixture source(String nodeId, long version) {
        sources.add(new StateSource(nodeId, "10.0.0.9", 9000, HeldVersion.of(0, 0, version), false));
        return this;
    }

    /** A node without a rank that was a member before. */
    RoundFixture formerMember(String nodeId) {
        sources.add(new StateSource(nodeId, "10.0.0.9", 9000, HeldVersion.NONE, true));
        return this;
    }

    RoundFixture version(long version) {
        return checkpoint(new RunVersion(0, version));
    }

    RoundFixture checkpoint(RunVersion newest) {
        checkpoint = newest;
        return this;
    }

    /** @param number of the last command that the coordinator has consumed */
    RoundFixture command(long number) {
        lastCommand = number;
        return this;
    }

    RoundFixture order(String nodeId, Order.Kind kind, int generation) {
        orders.add(new Order(nodeId, kind, generation));
        return this;
    }

    public RoundFixture master(String address, int port) {
        master = new MasterEndpoint(address, port);
        return this;
    }

    public Round build() {
        return new Round(
                number,
                suspended,
                new Round.Ranks(number, participants, List.of(), master, sources),
                new Round.Reason(List.of(cause), WorldChange.NONE, number),
                orders,
                new Round.Ledger(
                        UsedRestarts.NONE,
                        lastCommand,
                        checkpoint,
                        new FailureHistory(List.of(), brokenLinks, absences, 0),
                        List.of()),
                0);
    }
}
