/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.StatusRequest;
import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import dev.elasticrun.rendezvous.record.NodeRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How long the control service of an agent takes to report on a run of many nodes: real services and connections, simulated
 * workers and store. The agent that is asked has a process of its own, and is asked as soon as it serves; all others and
 * who asks are in this one.
 */
final class StatusBench {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int LOOPS = 2;
    private static final int STARTS = 5;

    private StatusBench() {}

    static String run(int nodes, int repeats) {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "### Status of " + nodes + " nodes with " + StatusPeer.WORKERS + " workers each, " + STARTS + " times "
                        + repeats + " answers",
                "",
                "| nodes that do not answer | first answers: median ms | worst ms | others: median ms | worst ms"
                        + " | named as silent |",
                "|---|---|---|---|---|---|"));
        for (int silent : new int[] {0, 3}) {
            lines.add(row(nodes, silent, repeats));
        }
        lines.add("");
        return String.join("\n", lines);
    }

    private static String row(int nodes, int silent, int repeats) {
        List<ThreadEventLoop> loops = IntStream.range(0, LOOPS)
                .mapToObj(i -> new ThreadEventLoop("agents-" + i, error -> System.out.println("loop: " + error)))
                .toList();
        List<StatusPeer> others = new ArrayList<>();
        try {
            for (int i = 1; i < nodes; i++) {
                int index = i;
                others.add(new StatusPeer(i, loops.get(i % LOOPS), () -> List.of(alone(others, index)), i <= silent));
            }
            // Who asks is not what is measured.
            ask(others.get(others.size() - 1).port(), 2);
            List<Double> first = new ArrayList<>();
            List<Double> later = new ArrayList<>();
            long named = 0;
            for (int start = 0; start < STARTS; start++) {
                try (AskedAgent asked =
                        AskedAgent.start(others.stream().map(StatusPeer::port).toList())) {
                    Answers answers = ask(asked.port(), 1 + repeats);
                    first.add(answers.millis().get(0));
                    later.addAll(answers.millis().subList(1, answers.millis().size()));
                    named = Math.max(named, answers.silent());
                }
            }
            Distribution firsts = Recovery.column(first.stream());
            Distribution all = Recovery.column(later.stream());
            return String.format(
                    Locale.ROOT,
                    "| %d | %.0f | %.0f | %.0f | %.0f | %d |",
                    silent,
                    firsts.median(),
                    firsts.worst(),
                    all.median(),
                    all.worst(),
                    named);
        } finally {
            others.forEach(StatusPeer::close);
            loops.forEach(ThreadEventLoop::close);
        }
    }

    private static NodeRecord alone(List<StatusPeer> others, int index) {
        return StatusPeer.record(index, others.get(index - 1).port());
    }

    /** @param silent nodes that are named as such in the last answer */
    private record Answers(List<Double> millis, long silent) {}

    private static Answers ask(int port, int times) {
        List<Double> millis = new ArrayList<>();
        StatusReply reply = StatusReply.getDefaultInstance();
        try (ControlClient client = new ControlClient("127.0.0.1:" + port, StatusPeer.KEY, Optional.empty())) {
            for (int i = 0; i < times; i++) {
                long start = System.nanoTime();
                reply = client.blocking(LIMIT).status(StatusRequest.getDefaultInstance());
                millis.add((System.nanoTime() - start) / 1e6);
            }
        }
        return new Answers(
                millis,
                reply.getNodesList().stream()
                        .map(NodeStatus::getSilence)
                        .filter(why -> !why.isEmpty())
                        .count());
    }
}
