/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.proto.HoldFrame;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One held stream: what is sent on it arrives late and in order, and while the link is cut it waits. */
final class SimulatedHold {
    private static final Duration SENT_AGAIN = Duration.ofMillis(200);

    private final SimulatedLinks links;
    private final SimulatedLinks.End caller;
    private final SimulatedLinks.End callee;
    private final StreamObserver<HoldFrame> replies;
    private final Way there;
    private final Way back;
    private @Nullable StreamObserver<HoldFrame> held;
    private boolean silent;

    SimulatedHold(
            SimulatedLinks links,
            SimulatedLinks.End caller,
            SimulatedLinks.End callee,
            StreamObserver<HoldFrame> replies) {
        this.links = links;
        this.caller = caller;
        this.callee = callee;
        this.replies = replies;
        this.there = new Way(callee);
        this.back = new Way(caller);
    }

    /** What the caller sends on it. */
    StreamObserver<HoldFrame> open() {
        there.send(() -> held = callee.service.hold(new Answers()));
        return requests();
    }

    StreamObserver<HoldFrame> requests() {
        return new Reported(there) {
            @Override
            StreamObserver<HoldFrame> hearer() {
                return Objects.requireNonNull(held);
            }
        };
    }

    boolean isOf(String nodeId) {
        return caller.nodeId.equals(nodeId) || callee.nodeId.equals(nodeId);
    }

    String otherThan(String nodeId) {
        return caller.nodeId.equals(nodeId) ? callee.nodeId : caller.nodeId;
    }

    /** This end finds the connection closed, after all that was sent before. */
    void endFor(String nodeId) {
        if (caller.nodeId.equals(nodeId)) {
            back.send(() -> replies.onError(Status.UNAVAILABLE.asRuntimeException()));
        } else {
            there.send(() -> {
                if (held != null) {
                    held.onError(Status.CANCELLED.asRuntimeException());
                }
            });
        }
    }

    /** Both ends find the connection closed; what is under way is lost. */
    void reset() {
        silent = true;
        caller.loop.outside(links.delay(), () -> replies.onError(Status.UNAVAILABLE.asRuntimeException()));
        StreamObserver<HoldFrame> taken = held;
        if (taken != null) {
            callee.loop.outside(links.delay(), () -> taken.onError(Status.CANCELLED.asRuntimeException()));
        }
    }

    /** Nothing arrives any more. */
    void silence() {
        silent = true;
    }

    /** One direction. */
    private final class Way {
        private final SimulatedLinks.End hearer;
        private final Deque<Runnable> underWay = new ArrayDeque<>();

        private Way(SimulatedLinks.End hearer) {
            this.hearer = hearer;
        }

        private void send(Runnable stated) {
            underWay.add(stated);
            if (underWay.size() == 1) {
                deliver(links.delay());
            }
        }

        private void deliver(Duration delay) {
            links.time().after(delay, () -> {
                if (silent) {
                    underWay.clear();
                } else if (links.linked(caller, callee)) {
                    hearer.loop.outside(Duration.ZERO, underWay.remove());
                    if (!underWay.isEmpty()) {
                        deliver(Duration.ofMillis(1));
                    }
                } else {
                    deliver(SENT_AGAIN);
                }
            });
        }
    }

    private abstract static class Reported implements StreamObserver<HoldFrame> {
        private final Way way;

        private Reported(Way way) {
            this.way = way;
        }

        abstract StreamObserver<HoldFrame> hearer();

        @Override
        public void onNext(HoldFrame frame) {
            way.send(() -> hearer().onNext(frame));
        }

        @Override
        public void onError(Throwable cause) {
            way.send(() -> hearer().onError(cause));
        }

        @Override
        public void onCompleted() {
            way.send(() -> hearer().onCompleted());
        }
    }

    /** What the service at the other end sends; it wants gRPC's own kind of observer. */
    private final class Answers extends ServerCallStreamObserver<HoldFrame> {
        @Override
        public void onNext(HoldFrame frame) {
            back.send(() -> replies.onNext(frame));
        }

        @Override
        public void onError(Throwable cause) {
            back.send(() -> replies.onError(cause));
        }

        @Override
        public void onCompleted() {
            back.send(replies::onCompleted);
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {
            // The service has no use for it.
        }

        @Override
        public void setCompression(String compression) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void disableAutoInboundFlowControl() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void request(int count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setMessageCompression(boolean enable) {
            throw new UnsupportedOperationException();
        }
    }
}
