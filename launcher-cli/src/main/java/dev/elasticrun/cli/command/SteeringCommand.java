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
import dev.elasticrun.proto.CommandReply;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.CommandStage;
import dev.elasticrun.proto.StatusReply;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import picocli.CommandLine.Model.OptionSpec;

/** What all commands that change a run have in common: they are confirmed, asked for once, and waited for. */
final class SteeringCommand {
    private static final String DEFAULT_TIMEOUT = "60s";

    private final Invocation call;
    private final Duration timeout;
    private final boolean json;

    private SteeringCommand(Invocation call) {
        this.call = call;
        this.timeout = timeout(call.value("--timeout").orElse(DEFAULT_TIMEOUT));
        this.json = call.has("--json");
    }

    /**
     * What is asked for.
     *
     * @param request without the fields that all commands have
     */
    record Wish(Forecast forecast, CommandRequest request) {}

    /** The options of such a command. */
    static List<OptionSpec> options(OptionSpec... more) {
        List<OptionSpec> all = new ArrayList<>(List.of(more));
        all.add(CommandModel.switchOption("Do not ask for confirmation.", "-y", "--yes"));
        all.add(CommandModel.valueOption(
                "--timeout", "TIME", "How long to wait until it is done. Default: " + DEFAULT_TIMEOUT + "."));
        all.add(CommandModel.switchOption("Wait only until the run has accepted it.", "--no-wait"));
        all.add(CommandModel.switchOption("Print JSON.", "--json"));
        return all;
    }

    static OptionSpec force() {
        return CommandModel.switchOption("Also if too few nodes are left: the others wait for another one.", "--force");
    }

    /** @return what the process is to exit with */
    static int run(Invocation call, Function<StatusReply, Wish> wish) {
        SteeringCommand steering = new SteeringCommand(call);
        try (RunContact contact = RunContact.of(call)) {
            StatusReply status = contact.status();
            Wish wanted = wish.apply(status);
            if (!steering.confirmed(wanted.forecast())) {
                call.err().println("elastic-run: nothing was done");
                return ExitCode.USAGE.code();
            }
            return steering.ask(
                    contact,
                    wanted.request().toBuilder()
                            .setRequestId(UUID.randomUUID().toString())
                            .setAskedBy(System.getProperty("user.name", ""))
                            .setIncarnation(status.getIncarnation())
                            .setForce(
                                    call.arguments().commandSpec().findOption("--force") != null && call.has("--force"))
                            .setNoWait(call.has("--no-wait"))
                            .build());
        } catch (RunContact.SilentException e) {
            return e.printed(call);
        }
    }

    private boolean confirmed(Forecast forecast) {
        if (forecast.harmless() || call.has("--yes")) {
            return true;
        }
        if (!Confirmation.onTerminal()) {
            throw UsageException.of(
                    "--yes", "not given", "--yes, as there is no terminal to ask on: " + forecast.text());
        }
        return Confirmation.ask(forecast.text() + ". Do it?", System.in, call.err());
    }

    // Sends the same request to one agent after the other, until one reports the outcome.
    private int ask(RunContact contact, CommandRequest request) {
        long endNanos = System.nanoTime() + timeout.toNanos();
        List<String> silent = new ArrayList<>();
        CommandReply last = CommandReply.getDefaultInstance();
        for (String node : contact.nodes()) {
            Duration left = Duration.ofNanos(Math.max(1, endNanos - System.nanoTime()));
            try {
                Iterator<CommandReply> replies =
                        contact.agent(node).blocking(left).command(request);
                while (replies.hasNext()) {
                    last = replies.next();
                    if (last.getStage() == CommandStage.COMMAND_STAGE_WAITING && !json) {
                        call.err().println(last.getText());
                    }
                }
                boolean asked = last.getNumber() > 0;
                boolean known =
                        last.getStage() != CommandStage.COMMAND_STAGE_GOING_ON || (asked && request.getNoWait());
                if (known) {
                    return report(last, request);
                }
            } catch (StatusRuntimeException e) {
                if (System.nanoTime() - endNanos >= 0) {
                    return overdue(last);
                }
                silent.add("node " + node + " did not answer: " + RunContact.describe(e.getStatus()));
            }
        }
        silent.forEach(line -> call.err().println("elastic-run: " + line));
        return last.getStage() == CommandStage.COMMAND_STAGE_UNSPECIFIED
                ? ExitCode.WORKER_FAILURE.code()
                : report(last, request);
    }

    private int overdue(CommandReply last) {
        call.err()
                .println("elastic-run: not done within " + SettingTexts.text(timeout)
                        + (last.getText().isEmpty() ? "" : ", " + last.getText())
                        + (last.getNumber() == 0 ? "" : "; the run goes on with it as command " + last.getNumber()));
        return ExitCode.WORKER_FAILURE.code();
    }

    private int report(CommandReply last, CommandRequest request) {
        boolean refused = last.getStage() == CommandStage.COMMAND_STAGE_REFUSED
                || (last.getStage() == CommandStage.COMMAND_STAGE_GOING_ON && last.getNumber() == 0);
        if (json) {
            call.out().println(json(last, request));
        } else if (refused) {
            call.err().println("elastic-run: refused: " + last.getText());
        } else {
            call.out().println(last.getText());
        }
        return refused ? ExitCode.WORKER_FAILURE.code() : ExitCode.SUCCEEDED.code();
    }

    private static String json(CommandReply last, CommandRequest request) {
        ObjectNode json = new ObjectMapper().createObjectNode();
        json.put("command", request.getCommandCase().name().toLowerCase(Locale.ROOT));
        json.put("request", request.getRequestId());
        json.put(
                "stage",
                last.getStage().name().substring("COMMAND_STAGE_".length()).toLowerCase(Locale.ROOT));
        json.put("text", last.getText());
        json.put("number", last.getNumber());
        json.put("round", last.getRound());
        json.put("world_size", last.getWorldSize());
        if (last.getStallMicros() > 0) {
            json.put("stall_ms", last.getStallMicros() / 1000.0);
        }
        return json.toString();
    }

    private static Duration timeout(String text) {
        try {
            return SettingTexts.duration(text);
        } catch (IllegalArgumentException e) {
            throw UsageException.of("--timeout", text, String.valueOf(e.getMessage()));
        }
    }
}
