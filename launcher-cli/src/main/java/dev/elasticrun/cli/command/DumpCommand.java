/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.client.RunContact;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.proto.DumpReply;
import dev.elasticrun.proto.DumpRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;

/** {@code elastic-run dump}: what the threads of one worker do now. */
final class DumpCommand {
    /** A JVM that does not answer takes 3 s, and it may be another node's. */
    private static final Duration DEADLINE = Duration.ofSeconds(8);

    private static final String SYNOPSIS = "dump RANK [--run-id NAME] [--json]";

    static final Subcommand COMMAND = new Subcommand("dump", SYNOPSIS, DumpCommand::model, DumpCommand::run);

    private DumpCommand() {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "dump",
                SYNOPSIS,
                "Shows what the threads of one worker do now, on whatever node it is. Its JVM prints them to its standard"
                        + " output, too, and runs on. Only for workers on the JVM.",
                "RANK",
                "The worker's rank.",
                List.of(CommandModel.switchOption("Print JSON.", "--json")));
    }

    private static int run(Invocation call) {
        int rank = rank(call.argument().orElse("not given"));
        try (RunContact contact = RunContact.of(call)) {
            String node = contact.status().getAnsweredBy();
            DumpReply reply = contact.agent(node)
                    .blocking(DEADLINE)
                    .dump(DumpRequest.newBuilder().setRank(rank).build());
            call.out().print(call.has("--json") ? json(rank, reply) : text(rank, reply));
            return ExitCode.SUCCEEDED.code();
        } catch (RunContact.SilentException e) {
            return e.printed(call);
        } catch (StatusRuntimeException e) {
            String why = e.getStatus().getCode() == Status.Code.FAILED_PRECONDITION
                    ? String.valueOf(e.getStatus().getDescription())
                    : RunContact.describe(e.getStatus());
            call.err().println("elastic-run: no dump: " + why);
        }
        return ExitCode.WORKER_FAILURE.code();
    }

    private static String text(int rank, DumpReply reply) {
        return "rank " + rank + " of round " + reply.getRound() + ": worker " + reply.getSlot() + "."
                + reply.getAttempt()
                + " of " + reply.getNodeId() + ", pid " + reply.getPid() + System.lineSeparator() + reply.getText()
                + (reply.getText().endsWith("\n") ? "" : System.lineSeparator());
    }

    private static String json(int rank, DumpReply reply) {
        ObjectNode json = new ObjectMapper().createObjectNode();
        json.put("rank", rank);
        json.put("node", reply.getNodeId());
        json.put("slot", reply.getSlot());
        json.put("attempt", reply.getAttempt());
        json.put("pid", reply.getPid());
        json.put("round", reply.getRound());
        json.put("threads", reply.getText());
        return json + System.lineSeparator();
    }

    private static int rank(String text) {
        try {
            int rank = SettingTexts.number(text, "a rank");
            if (rank >= 0) {
                return rank;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw UsageException.of("RANK", text, "a number from 0 on");
    }
}
