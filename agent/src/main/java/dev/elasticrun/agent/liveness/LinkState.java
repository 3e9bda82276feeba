/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of the process at the other end of a held connection, as seen from this end, with its transitions. Pure.
 *
 * <p>A proof of death has two halves, in this order: a connection to that very node ended without a goodbye, and its
 * address, which took a connection before, refuses another, twice in a row and some time apart: a momentary refusal on
 * the way is no proof. Everything else proves nothing.
 *
 * @param other null until the other end has identified itself
 * @param looks how often its address was probed in this phase
 * @param refused whether it refused the last time
 */
record LinkState(Phase phase, @Nullable NodeLife other, int looks, boolean refused) {
    /** Between the two refusals of a proof. */
    static final Duration REFUSALS_APART = Duration.ofMillis(50);

    // Covers about a second in all: a dying process may close its connections before its listener.
    private static final int MAX_LOOKS = 10;

    public enum Phase {
        /** No process at the other end: not yet, not any more, or it sent goodbye. */
        OPEN,
        /** The other end connected to us; whether its address can be trusted to answer is being asked. */
        INTRODUCED,
        /** Its end without a goodbye will be the first half of a proof. */
        WATCHED,
        /** Held, but its end will prove nothing. */
        UNWATCHED,
        /** Ended without a goodbye; the address is being asked for the second half. */
        SUSPECT,
        PROVED
    }

    static LinkState open() {
        return new LinkState(Phase.OPEN, null, 0, false);
    }

    /** The other end was reached, and reported which node it is. */
    LinkState reached(NodeLife life) {
        return new LinkState(life.leaseOnly() ? Phase.UNWATCHED : Phase.WATCHED, life, 0, false);
    }

    /** The other end reached us. */
    LinkState introduced(NodeLife life) {
        return new LinkState(life.leaseOnly() ? Phase.UNWATCHED : Phase.INTRODUCED, life, 0, false);
    }

    LinkState goodbye() {
        return phase == Phase.PROVED ? this : open();
    }

    /** The connection, or the attempt to make one, ended. */
    LinkState ended() {
        return switch (phase) {
            case WATCHED -> new LinkState(Phase.SUSPECT, other, 0, false);
            case INTRODUCED, UNWATCHED -> open();
            case OPEN, SUSPECT, PROVED -> this;
        };
    }

    /** The other end's address was probed. */
    LinkState looked(DialAnswer.Kind answer) {
        return switch (phase) {
            case INTRODUCED ->
                answer == DialAnswer.Kind.ANSWERED
                        ? new LinkState(Phase.WATCHED, other, 0, false)
                        : lookAgain(new LinkState(Phase.UNWATCHED, other, 0, false));
            case SUSPECT ->
                answer != DialAnswer.Kind.REFUSED
                        ? lookAgain(open())
                        : refused
                                ? new LinkState(Phase.PROVED, other, 0, false)
                                : new LinkState(phase, other, looks, true);
            case OPEN, WATCHED, UNWATCHED, PROVED -> this;
        };
    }

    /** How long to wait before the other end's address is asked; empty when it is not to be asked. */
    Optional<Duration> nextLook() {
        if (refused) {
            return Optional.of(REFUSALS_APART);
        }
        return switch (phase) {
            case INTRODUCED, SUSPECT -> Optional.of(looks == 0 ? Duration.ZERO : Duration.ofMillis(1L << looks));
            case OPEN, WATCHED, UNWATCHED, PROVED -> Optional.empty();
        };
    }

    private LinkState lookAgain(LinkState otherwise) {
        return looks < MAX_LOOKS - 1 ? new LinkState(phase, other, looks + 1, false) : otherwise;
    }
}
