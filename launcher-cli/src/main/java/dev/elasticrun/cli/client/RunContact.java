/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.RemoteRuns;
import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.RemoteFlags;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.proto.ControlGrpc;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.StatusRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to an agent of a run that answers: to the one that answered last, else to the next. Learns of more
 * agents from the replies. Not thread-safe.
 */
public final class RunContact implements AutoCloseable {
    /** Agents on a host with too much to do may take seconds. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final byte[] key;
    private final Optional<RunTls> tls;
    /** Control address by node, in the order in which they are tried. */
    private final Map<String, String> agents = new LinkedHashMap<>();

    private @Nullable ControlClient client;
    private String answering = "";

    /**
     * @param agents control address by node
     * @param key of the run
     * @param tls by what its agents are known; empty = they use plain text
     */
    RunContact(Map<String, String> agents, byte[] key, Optional<RunTls> tls) {
        this.agents.putAll(agents);
        this.key = key.clone();
        this.tls = tls;
    }

    /**
     * By the store that a flag names; else by an agent on this host; else by the store that the variable names.
     *
     * @throws UsageException when there is no agent of the run, or several runs to choose from
     */
    public static RunContact of(Invocation call) {
        return RemoteFlags.wanted(call)
                .map(RunContact::remote)
                .orElseGet(() -> of(
                        RunFinder.one(call.value("--run-id"), RunFinder.ANYWHERE, () -> RunEvents.logDirectory(call))));
    }

    private static RunContact remote(RemoteRuns.Wanted wanted) {
        try {
            return RemoteRuns.find(wanted)
                    .map(run -> new RunContact(run.agents(), run.key(), run.tls()))
                    .orElseThrow(() -> UsageException.of(
                            "--run-id",
                            wanted.runId(),
                            "a run that has an agent, by the store at " + String.join(",", wanted.endpoints())));
        } catch (LaunchConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()).lines().toList());
        }
    }

    public static RunContact of(List<LocalRuns.LocalRun> local) {
        Map<String, String> addresses = new LinkedHashMap<>();
        local.forEach(agent -> addresses.put(agent.file().node(), agent.file().control()));
        return new RunContact(addresses, local.get(0).key(), local.get(0).file().encryption());
    }

    /** No agent answered. */
    public static final class SilentException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient List<String> silent;

        SilentException(List<String> silent) {
            super(String.join("; ", silent));
            this.silent = List.copyOf(silent);
        }

        /** Prints a line for each agent that was asked; returns the exit code of a command that no agent answered. */
        public int printed(Invocation call) {
            silent.forEach(line -> call.err().println("elastic-run: " + line));
            return ExitCode.WORKER_FAILURE.code();
        }
    }

    /** @throws SilentException when no agent answers */
    public StatusReply status() {
        StatusReply reply = ask(agent -> agent.status(StatusRequest.getDefaultInstance()));
        for (NodeStatus node : reply.getNodesList()) {
            agents.putIfAbsent(node.getNodeId(), node.getAddress() + ":" + node.getControlPort());
        }
        return reply;
    }

    /** @throws SilentException when no agent answers */
    <T> T ask(Function<ControlGrpc.ControlBlockingStub, T> question) {
        List<String> silent = new ArrayList<>();
        for (String node : order()) {
            try {
                T answer = question.apply(connect(node).blocking(DEADLINE));
                answering = node;
                return answer;
            } catch (StatusRuntimeException e) {
                disconnect();
                silent.add("node " + node + " at " + agents.get(node) + " did not answer: " + describe(e.getStatus()));
            }
        }
        throw new SilentException(silent);
    }

    /** Nodes whose agents can be asked, in the order in which to try them. */
    public List<String> nodes() {
        return order();
    }

    /** Calls to that agent, if it is the one that answered last; open until another one is asked. */
    Optional<ControlClient> connected(String node) {
        return node.equals(answering) ? Optional.ofNullable(client) : Optional.empty();
    }

    /** Calls to one agent; open until another one is asked. */
    public ControlClient agent(String node) {
        return connect(node);
    }

    public byte[] key() {
        return key.clone();
    }

    public Optional<RunTls> tls() {
        return tls;
    }

    private List<String> order() {
        List<String> order = new ArrayList<>(agents.keySet());
        if (order.remove(answering)) {
            order.add(0, answering);
        }
        return order;
    }

    private ControlClient connect(String node) {
        ControlClient open = client;
        if (open == null || !node.equals(answering)) {
            disconnect();
            open = new ControlClient(Optional.ofNullable(agents.get(node)).orElseThrow(), node, key, tls);
            client = open;
            answering = node;
        }
        return open;
    }

    private void disconnect() {
        ControlClient open = client;
        if (open != null) {
            open.close();
        }
        client = null;
    }

    public static String describe(Status status) {
        String code =
                switch (status.getCode()) {
                    case DEADLINE_EXCEEDED -> "not within " + DEADLINE.toSeconds() + " s";
                    case UNAVAILABLE -> "it cannot be reached";
                    case UNAUTHENTICATED -> "it refused the run's key";
                    case UNIMPLEMENTED -> "it is of another version of elastic-run, which does not have this call";
                    default -> status.getCode().toString();
                };
        return Optional.ofNullable(status.getDescription())
                .filter(text -> status.getCode() != Status.Code.DEADLINE_EXCEEDED)
                .map(text -> code + ": " + text)
                .orElse(code);
    }

    @Override
    public void close() {
        disconnect();
    }
}
