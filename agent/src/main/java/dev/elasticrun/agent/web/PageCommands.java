/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import dev.elasticrun.agent.control.CommandDesk;
import dev.elasticrun.agent.control.CommandDesk.Outcome;
import dev.elasticrun.agent.http.PageSource.CommandAnswer;
import dev.elasticrun.rendezvous.record.Command;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Passes commands from the page to the command desk. Safe for use by any thread. */
public final class PageCommands {
    /** In the order in which the page shows them. */
    static final List<String> NAMES = List.of("drain", "scale", "restart", "dump", "profile", "stop");

    private static final Pattern NODES = Pattern.compile("(\\d{1,6})(?::(\\d{1,6}))?");
    private static final Pattern RANK = Pattern.compile("\\d{1,6}");
    private static final long WAIT_SECONDS = 10;
    private static final int PROFILE_SECONDS = 10;
    private static final int ID_BYTES = 8;

    private final CommandDesk desk;
    private final SecureRandom random;

    public PageCommands(CommandDesk desk, SecureRandom random) {
        this.desk = desk;
        this.random = random;
    }

    /**
     * Waits until the command is done, ten seconds at most: an accepted command continues.
     *
     * @param arguments node, nodes or rank, as the command needs them
     * @throws IllegalArgumentException that states what was expected
     */
    CommandAnswer ask(String name, Map<String, String> arguments) {
        if (name.equals("dump")) {
            return dump(rank(arguments));
        } else if (name.equals("profile")) {
            return profile(rank(arguments));
        }
        CompletableFuture<Outcome> outcome =
                desk.ask(command(name, arguments), new CommandDesk.Asking("the page", "", true, progress -> {}));
        try {
            Outcome end = outcome.get(WAIT_SECONDS, TimeUnit.SECONDS);
            return new CommandAnswer(end.accepted(), end.text());
        } catch (TimeoutException e) {
            outcome.cancel(false);
            return new CommandAnswer(true, name + " was asked for, and is still under way");
        } catch (ExecutionException e) {
            return new CommandAnswer(false, String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new CommandAnswer(false, "this agent ends");
        }
    }

    private Command command(String name, Map<String, String> arguments) {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        String requestId = "page-" + HexFormat.of().formatHex(id);
        String by = "the page";
        return switch (name) {
            case "drain" -> Command.drain(requestId, arguments.getOrDefault("node", ""), false, by);
            case "scale" -> scale(requestId, arguments.getOrDefault("nodes", ""), by);
            case "restart" -> Command.restart(requestId, by);
            case "stop" -> Command.stop(requestId, by);
            default ->
                throw new IllegalArgumentException(
                        "command: '" + name + "' (expected: one of " + String.join(", ", NAMES) + ")");
        };
    }

    private static Command scale(String requestId, String nodes, String by) {
        Matcher matcher = NODES.matcher(nodes);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("nodes: '" + nodes + "' (expected: N or MIN:MAX)");
        }
        int min = Integer.parseInt(matcher.group(1));
        return Command.scale(
                requestId, min, matcher.group(2) == null ? min : Integer.parseInt(matcher.group(2)), false, by);
    }

    private static int rank(Map<String, String> arguments) {
        String rank = arguments.getOrDefault("rank", "");
        if (!RANK.matcher(rank).matches()) {
            throw new IllegalArgumentException("rank: '" + rank + "' (expected: a number)");
        }
        return Integer.parseInt(rank);
    }

    private CommandAnswer dump(int rank) {
        return answer(
                rank,
                desk.dump(rank, false),
                WAIT_SECONDS,
                dump -> "threads of rank " + rank + " on " + dump.nodeId() + ":\n" + dump.text());
    }

    /** The first line is for people, the others are stacks with their numbers of samples. */
    private CommandAnswer profile(int rank) {
        return answer(
                rank,
                desk.profile(rank, PROFILE_SECONDS, false),
                PROFILE_SECONDS + 2 * WAIT_SECONDS,
                profile -> profile.samples() + " samples of rank " + rank + " on " + profile.nodeId() + " in "
                        + PROFILE_SECONDS + " s; the recording is " + profile.file() + "\n" + profile.folded());
    }

    private static <T> CommandAnswer answer(
            int rank, CompletableFuture<T> answer, long seconds, Function<T, String> words) {
        try {
            return new CommandAnswer(true, words.apply(answer.get(seconds, TimeUnit.SECONDS)));
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            return new CommandAnswer(false, String.valueOf(cause == null ? e.getMessage() : cause.getMessage()));
        } catch (TimeoutException e) {
            return new CommandAnswer(false, "rank " + rank + " did not answer within " + seconds + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new CommandAnswer(false, "this agent ends");
        }
    }
}
