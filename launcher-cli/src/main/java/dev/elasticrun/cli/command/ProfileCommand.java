/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.client.RunContact;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.proto.ProfileReply;
import dev.elasticrun.proto.ProfileRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
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
        int rank = number("RANK", call.argument().orElse("not given"), 0, Integer.MAX_VALUE);
        int seconds = call.value("--seconds")
                .map(text -> number("--seconds", text, 1, MOST_SECONDS))
                .orElse(SECONDS);
        try (RunContact contact = RunContact.of(call)) {
            String node = contact.status().getAnsweredBy();
            ProfileReply reply = contact.agent(node)
                    .blocking(RESERVE.plusSeconds(seconds))
                    .profile(ProfileRequest.newBuilder()
                            .setRank(rank)
                            .setSeconds(seconds)
                            .build());
            if (call.has("--json")) {
                call.out().println(json(rank, seconds, reply));
            } else {
                call.err()
                        .println("elastic-run: rank " + rank + " of round " + reply.getRound() + ": worker "
                                + reply.getSlot()
                                + "." + reply.getAttempt() + " of " + reply.getNodeId() + ", pid " + reply.getPid()
                                + "; "
                                + reply.getSamples() + " samples in " + seconds + " s; recording: " + reply.getFile());
                call.out().print(reply.getFolded());
            }
            return ExitCode.SUCCEEDED.code();
        } catch (RunContact.SilentException e) {
            return e.printed(call);
        } catch (StatusRuntimeException e) {
            String why = e.getStatus().getCode() == Status.Code.FAILED_PRECONDITION
                    ? String.valueOf(e.getStatus().getDescription())
                    : RunContact.describe(e.getStatus());
            call.err().println("elastic-run: no profile: " + why);
        }
        return ExitCode.WORKER_FAILURE.code();
    }

    private static String json(int rank, int seconds, ProfileReply reply) {
        ObjectNode json = new ObjectMapper().createObjectNode();
        json.put("rank", rank);
        json.put("node", reply.getNodeId());
        json.put("slot", reply.getSlot());
        json.put("attempt", reply.getAttempt());
        json.put("pid", reply.getPid());
        json.put("round", reply.getRound());
        json.put("seconds", seconds);
        json.put("recording", reply.getFile());
        ArrayNode stacks = json.putArray("stacks");
        reply.getFolded().lines().forEach(line -> {
            int end = line.lastIndexOf(' ');
            stacks.addObject()
                    .put("frames", line.substring(0, end))
                    .put("samples", Integer.parseInt(line.substring(end + 1)));
        });
        return json.toString();
    }

    private static int number(String name, String text, int least, int most) {
        String expected =
                most == Integer.MAX_VALUE ? "a number from " + least + " on" : "a number from " + least + " to " + most;
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
}
