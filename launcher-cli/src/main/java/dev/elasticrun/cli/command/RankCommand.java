/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.client.RunContact;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.proto.ControlGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** What commands about one worker have in common: its rank, how an agent is asked, and how the worker is named. */
final class RankCommand {
    private RankCommand() {}

    /** Which worker it was. */
    record Place(int rank, long round, String node, int slot, int attempt, long pid) {
        String text() {
            return "rank " + rank + " of round " + round + ": worker " + slot + "." + attempt + " of " + node + ", pid "
                    + pid;
        }

        ObjectNode json() {
            return new ObjectMapper()
                    .createObjectNode()
                    .put("rank", rank)
                    .put("node", node)
                    .put("slot", slot)
                    .put("attempt", attempt)
                    .put("pid", pid)
                    .put("round", round);
        }
    }

    static int rank(Invocation call) {
        return number("RANK", call.argument().orElse("not given"), 0, Integer.MAX_VALUE);
    }

    /** @param most {@link Integer#MAX_VALUE} = as many as there may be */
    static int number(String name, String text, int least, int most) {
        String expected = "a number from " + least + (most == Integer.MAX_VALUE ? " on" : " to " + most);
        try {
            int number = SettingTexts.number(text, expected);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw UsageException.of(name, text, expected);
    }

    /**
     * Asks an agent of the run, which asks the one that has the worker.
     *
     * @param what the answer is, for messages
     * @return the exit code
     */
    static <R> int ask(
            Invocation call,
            String what,
            Duration deadline,
            Function<ControlGrpc.ControlBlockingStub, R> question,
            Consumer<R> print) {
        try (RunContact contact = RunContact.of(call)) {
            String node = contact.status().getAnsweredBy();
            print.accept(question.apply(contact.agent(node).blocking(deadline)));
            return ExitCode.SUCCEEDED.code();
        } catch (RunContact.SilentException e) {
            return e.printed(call);
        } catch (StatusRuntimeException e) {
            String why = e.getStatus().getCode() == Status.Code.FAILED_PRECONDITION
                    ? String.valueOf(e.getStatus().getDescription())
                    : RunContact.describe(e.getStatus());
            call.err().println("elastic-run: no " + what + ": " + why);
        }
        return ExitCode.WORKER_FAILURE.code();
    }
}
