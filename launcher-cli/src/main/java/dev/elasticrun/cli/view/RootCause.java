/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.rendezvous.record.Failure;
import java.util.Optional;

/**
 * What kind of thing ended a run, and of which worker. Pure.
 *
 * @param worker empty when it was none: all failures, if there are any, only followed from it
 */
public record RootCause(Kind kind, Optional<Failure> worker) {

    public enum Kind {
        EXCEPTION("it failed with an exception"),
        EXIT_CODE("it ended with an exit code other than 0"),
        SIGNAL("it was killed by a signal"),
        OUT_OF_MEMORY("it was killed for lack of memory"),
        HANG("it made no progress"),
        STRAGGLER("it did not come out of a round that was over"),
        UNREACHABLE("its agent could not reach it"),
        NO_ANSWER("it did not answer its agent"),
        NOT_STARTED("it could not be started"),
        STUCK("it did not end when it was killed"),
        ENDED_EARLY("it ended before its peers"),
        STOPPED_THE_RUN("it ended the run itself"),
        STATE_LOST("the state of the run was lost"),
        NO_PROGRESS("the run made no progress"),
        LOST_NODES("too few nodes were left"),
        LOST_PEERS("workers lost each other, and none failed before"),
        STORE("the store was lost or not there"),
        LEFT("this node was asked to leave"),
        USAGE("this agent was refused"),
        AGENT("the agent itself failed");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    public static RootCause of(LaunchResult result) {
        if (isAsked(result)) {
            return new RootCause(Kind.LEFT, Optional.empty());
        }
        Optional<Failure> first = result.failures().stream().findFirst().filter(failure -> !failure.collateral());
        return new RootCause(first.map(RootCause::kind).orElseGet(() -> kind(result)), first);
    }

    private static Kind kind(Failure failure) {
        return switch (failure.kind()) {
            case EXCEPTION -> Kind.EXCEPTION;
            case EXIT_CODE -> Kind.EXIT_CODE;
            case SIGNAL -> Kind.SIGNAL;
            case OUT_OF_MEMORY -> Kind.OUT_OF_MEMORY;
            case HANG -> Kind.HANG;
            case STRAGGLER -> Kind.STRAGGLER;
            case UNREACHABLE -> Kind.UNREACHABLE;
            case NO_ANSWER -> Kind.NO_ANSWER;
            case NOT_STARTED -> Kind.NOT_STARTED;
            case STUCK -> Kind.STUCK;
            case ENDED_EARLY -> Kind.ENDED_EARLY;
            case STATE_LOST -> Kind.STATE_LOST;
            case NO_PROGRESS -> Kind.NO_PROGRESS;
            case STOPPED_THE_RUN -> Kind.STOPPED_THE_RUN;
        };
    }

    private static Kind kind(LaunchResult result) {
        int code = result.exitCode();
        if (code == ExitCode.BELOW_MINIMUM.code()) {
            return Kind.LOST_NODES;
        } else if (code == ExitCode.STORE_LOST.code()) {
            return Kind.STORE;
        } else if (code == ExitCode.USAGE.code()) {
            return Kind.USAGE;
        }
        return result.failures().isEmpty() ? Kind.AGENT : Kind.LOST_PEERS;
    }

    // The run answered every failure before such an end.
    private static boolean isAsked(LaunchResult result) {
        return result.exitCode() == ExitCode.INTERRUPTED.code() || result.exitCode() == ExitCode.DRAINED.code();
    }
}
