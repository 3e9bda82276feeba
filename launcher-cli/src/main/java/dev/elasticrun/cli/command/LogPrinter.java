/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.text.PlainText;
import dev.elasticrun.proto.LogsReply;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Prints parts of logs as they come, each line after the worker whose it is. Streams may come on several threads. */
final class LogPrinter {
    private final Map<String, String> ranks = new HashMap<>();
    private final Queue<Stream> streams = new ConcurrentLinkedQueue<>();
    private final boolean raw;
    private final PrintStream out;
    private final PrintStream err;

    /** @param raw whether control characters are printed as they are */
    LogPrinter(StatusReply status, boolean raw, PrintStream out, PrintStream err) {
        this.raw = raw;
        this.out = out;
        this.err = err;
        for (NodeStatus node : status.getNodesList()) {
            for (WorkerStatus worker : node.getWorkersList()) {
                if (worker.getRank() >= 0) {
                    ranks.put(
                            name(node.getNodeId(), worker.getSlot(), worker.getAttempt()), "rank " + worker.getRank());
                }
            }
        }
    }

    Stream stream(String nodeId) {
        Stream stream = new Stream(nodeId);
        streams.add(stream);
        return stream;
    }

    private synchronized void print(String nodeId, LogsReply part) {
        String name = name(nodeId, part.getSlot(), part.getAttempt());
        String prefix = "[" + ranks.getOrDefault(name, name) + "]: ";
        PrintStream stream = part.getStderr() ? err : out;
        part.getText()
                .toString(StandardCharsets.UTF_8)
                .lines()
                .forEach(line -> stream.println(prefix + (raw ? line : PlainText.colouredLine(line))));
        if (stream.checkError()) {
            // The output has no reader any more: all streams end.
            streams.forEach(one -> one.ended.complete(Optional.empty()));
        }
    }

    private static String name(String nodeId, int slot, int attempt) {
        return nodeId + " " + slot + "." + attempt;
    }

    /** The logs of one node. */
    final class Stream implements StreamObserver<LogsReply> {
        private final String nodeId;
        private final CompletableFuture<Optional<Status>> ended = new CompletableFuture<>();

        private Stream(String nodeId) {
            this.nodeId = nodeId;
        }

        @Override
        public void onNext(LogsReply part) {
            print(nodeId, part);
        }

        @Override
        public void onError(Throwable cause) {
            ended.complete(Optional.of(Status.fromThrowable(cause)));
        }

        @Override
        public void onCompleted() {
            ended.complete(Optional.empty());
        }

        /** Waits for the end; returns what is wrong, or empty. The end of a followed agent is no failure. */
        Optional<String> await(boolean follows) {
            return ended.join()
                    .filter(status -> !follows || status.getCode() != Status.Code.UNAVAILABLE)
                    .map(status -> "node " + nodeId + ": " + status.getCode()
                            + Optional.ofNullable(status.getDescription())
                                    .map(text -> ": " + text)
                                    .orElse(""));
        }
    }
}
