/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class WatchSessionTest {
    private static final ByteString KEY = ByteString.copyFromUtf8("a");

    private final EtcdState state = new EtcdState(1, 2, 0, () -> true);
    private final FakeObserver observer = new FakeObserver();
    private final WatchBacklog backlog = new WatchBacklog();
    private final WatchSession stream = new WatchSession(state, observer, backlog);

    @Test
    void events_clientNotReady_waitAndComeInOrder() {
        watchFrom(0);
        observer.ready = false;
        write(3);
        assertThat(observer.responses).hasSize(1);

        observer.becomeReady();

        assertThat(observer.responses).hasSize(4);
        assertThat(observer.responses.subList(1, 4))
                .extracting(response -> response.getEvents(0).getKv().getModRevision())
                .containsExactly(2L, 3L, 4L);
    }

    @Test
    void events_clientTooSlow_endTheStreamAndTheQueue() {
        watchFrom(0);
        observer.ready = false;

        write(WatchSession.MAX_WAITING + 1);

        assertThat(observer.failure).isNotNull();
        Status status = Status.fromThrowable(observer.failure);
        assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(status.getDescription()).contains("watcher too slow");
        observer.becomeReady();
        assertThat(observer.responses).hasSize(1);
    }

    @Test
    void events_manyClientsTooSlowTogether_endTheOneWithMostOnly() {
        ByteString large = ByteString.copyFrom(new byte[1 << 20]);
        List<FakeObserver> others = new ArrayList<>();
        watchFrom(0);
        observer.ready = false;
        write(1);
        for (int i = 0; i < 7; i++) {
            FakeObserver other = new FakeObserver();
            WatchSession slow = new WatchSession(state, other, backlog);
            slow.create(WatchCreateRequest.newBuilder().setKey(KEY).build());
            other.ready = false;
            others.add(other);
        }

        for (int i = 0; i < 8; i++) {
            state.map().put(KEY, large, 0);
            state.commit();
            assertThat(backlog.bytes()).isLessThanOrEqualTo(WatchBacklog.MAX_BYTES);
        }

        // Of all that wait for the same, the first has one event more.
        assertThat(observer.failure).isNotNull();
        assertThat(others).allSatisfy(other -> assertThat(other.failure).isNull());
        others.forEach(FakeObserver::becomeReady);
        assertThat(backlog.bytes()).isZero();
        assertThat(others).allSatisfy(other -> assertThat(other.responses).hasSize(9));
    }

    @Test
    void create_fromTheOldestRevision_catchesUpInBatchesOfWholeRevisions() {
        write(2_500);

        watchFrom(1);

        assertThat(observer.responses).hasSize(4);
        assertThat(observer.responses.stream()
                        .mapToInt(WatchResponse::getEventsCount)
                        .sum())
                .isEqualTo(2_500);
    }

    @Test
    void create_fromACompactedRevision_isCancelledWithTheOldest() {
        write(10);
        state.map().compact(5);

        watchFrom(3);

        WatchResponse last = observer.responses.get(1);
        assertThat(last.getCanceled()).isTrue();
        assertThat(last.getCompactRevision()).isEqualTo(5);
        write(1);
        assertThat(observer.responses).hasSize(2);
    }

    @Test
    void cancel_ofAWatch_endsItsEvents() {
        watchFrom(0);

        stream.cancel(0);
        stream.cancel(0);
        write(1);

        assertThat(observer.responses).hasSize(2);
        assertThat(observer.responses.get(1).getCanceled()).isTrue();
    }

    @Test
    void progress_request_reportsTheRevision() {
        write(4);

        stream.progress();

        assertThat(observer.responses.get(0).getHeader().getRevision()).isEqualTo(5);
    }

    private void watchFrom(long revision) {
        stream.create(WatchCreateRequest.newBuilder()
                .setKey(KEY)
                .setStartRevision(revision)
                .build());
    }

    private void write(int times) {
        for (int i = 0; i < times; i++) {
            state.map().put(KEY, KEY, 0);
            state.commit();
        }
    }

    private static final class FakeObserver extends ServerCallStreamObserver<WatchResponse> {
        private final List<WatchResponse> responses = new ArrayList<>();
        private boolean ready = true;
        private Runnable onReady = () -> {};
        private @Nullable Throwable failure;

        void becomeReady() {
            ready = true;
            onReady.run();
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            onReady = handler;
        }

        @Override
        public void onNext(WatchResponse response) {
            responses.add(response);
        }

        @Override
        public void onError(Throwable cause) {
            failure = cause;
        }

        @Override
        public void onCompleted() {}

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void request(int count) {}

        @Override
        public void setMessageCompression(boolean enable) {}
    }
}
