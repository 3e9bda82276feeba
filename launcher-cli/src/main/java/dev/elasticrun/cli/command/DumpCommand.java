/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.proto.DumpReply;
import dev.elasticrun.proto.DumpRequest;
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
        int rank = RankCommand.rank(call);
        DumpRequest request = DumpRequest.newBuilder().setRank(rank).build();
        return RankCommand.ask(call, "dump", DEADLINE, agent -> agent.dump(request), reply -> call.out()
                .print(call.has("--json") ? json(rank, reply) : text(rank, reply)));
    }

    private static RankCommand.Place place(int rank, DumpReply reply) {
        return new RankCommand.Place(
                rank, reply.getRound(), reply.getNodeId(), reply.getSlot(), reply.getAttempt(), reply.getPid());
    }

    private static String text(int rank, DumpReply reply) {
        return place(rank, reply).text()
                + System.lineSeparator()
                + reply.getText()
                + (reply.getText().endsWith("\n") ? "" : System.lineSeparator());
    }

    private static String json(int rank, DumpReply reply) {
        return place(rank, reply).json().put("threads", reply.getText()) + System.lineSeparator();
    }
}
