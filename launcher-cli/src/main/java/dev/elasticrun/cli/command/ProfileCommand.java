/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.proto.ProfileReply;
import dev.elasticrun.proto.ProfileRequest;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;

/** {@code elastic-run profile}: where one worker spends its time. */
final class ProfileCommand {
    /** Beyond the recording: it may be another node's worker, whose JVM is slow to answer. */
    private static final Duration RESERVE = Duration.ofSeconds(30);

    private static final int SECONDS = 10;
    // Agents take no more.
    private static final int MOST_SECONDS = 60;

    private static final String SYNOPSIS = "profile RANK [--run-id NAME] [--seconds N] [--json]";

    static final Subcommand COMMAND = new Subcommand("profile", SYNOPSIS, ProfileCommand::model, ProfileCommand::run);

    private ProfileCommand() {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "profile",
                SYNOPSIS,
                "Shows where one worker spends its time, on whatever node it is: its JVM records it for some seconds, and runs"
                        + " on. Prints stacks with their numbers of samples, a line each, as tools for flame graphs read"
                        + " them; the recording stays beside the worker's logs. Only for workers on the JVM.",
                "RANK",
                "The worker's rank.",
                List.of(
                        CommandModel.valueOption(
                                "--seconds",
                                "N",
                                "How long it is recorded, up to " + MOST_SECONDS + " s. Default: " + SECONDS + "."),
                        CommandModel.switchOption("Print JSON.", "--json")));
    }

    private static int run(Invocation call) {
        int rank = RankCommand.rank(call);
        int seconds = call.value("--seconds")
                .map(text -> RankCommand.number("--seconds", text, 1, MOST_SECONDS))
                .orElse(SECONDS);
        ProfileRequest request =
                ProfileRequest.newBuilder().setRank(rank).setSeconds(seconds).build();
        return RankCommand.ask(
                call,
                "profile",
                RESERVE.plusSeconds(seconds),
                agent -> agent.profile(request),
                reply -> print(rank, seconds, reply, call));
    }

    private static void print(int rank, int seconds, ProfileReply reply, Invocation call) {
        RankCommand.Place place = new RankCommand.Place(
                rank, reply.getRound(), reply.getNodeId(), reply.getSlot(), reply.getAttempt(), reply.getPid());
        if (call.has("--json")) {
            call.out().println(json(place, seconds, reply));
        } else {
            call.err()
                    .println("elastic-run: " + place.text() + "; " + reply.getSamples() + " samples in " + seconds
                            + " s; recording: " + reply.getFile());
            call.out().print(reply.getFolded());
        }
    }

    private static ObjectNode json(RankCommand.Place place, int seconds, ProfileReply reply) {
        ObjectNode json = place.json().put("seconds", seconds).put("recording", reply.getFile());
        ArrayNode stacks = json.putArray("stacks");
        reply.getFolded().lines().forEach(line -> {
            int end = line.lastIndexOf(' ');
            stacks.addObject()
                    .put("frames", line.substring(0, end))
                    .put("samples", Integer.parseInt(line.substring(end + 1)));
        });
        return json;
    }
}
