/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same random requests to the embedded store and to a real etcd: every answer, refusal and event must be equal. */
@Tag("slow")
@Timeout(120)
final class EtcdComparisonIT {
    private static final int OPERATIONS = 600;
    private static final ByteString ALL = ByteString.copyFrom(new byte[] {0});

    @TempDir
    Path directory;

    /** {@code -Dstore.seed=} replays one. */
    static LongStream seeds() {
        Long seed = Long.getLong("store.seed");
        return seed == null ? LongStream.rangeClosed(1, 3) : LongStream.of(seed);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void operations_random_haveTheOutcomeThatEtcdGives(long seed) throws Exception {
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"));
                EmbeddedEtcdServer embedded = EmbeddedEtcdServer.start("127.0.0.1", 0, null);
                Client expected = new Client(etcd.endpoint());
                Client actual = new Client(embedded.endpoint())) {
            // The first write's revision. etcd adds a watch that begins earlier to its stream up to 100 ms later only,
            // and
            // cancels it if what it begins with is compacted by then.
            expected.watch(2);
            actual.watch(2);
            RandomOperations operations = new RandomOperations(seed);
            for (int i = 0; i < OPERATIONS; i++) {
                Message request = operations.next(expected.revision());
                String answer = expected.call(request);
                assertThat(actual.call(request))
                        .as("seed %d, operation %d: %s", seed, i, request)
                        .isEqualTo(answer);
            }
            long last = expected.revision();
            assertThat(actual.events(last)).as("seed %d", seed).isEqualTo(expected.events(last));
        }
    }

    /** One server, its answers without what must differ: the cluster's identity and the time left. */
    private static final class Client implements AutoCloseable {
        private final ManagedChannel channel;
        private final KVGrpc.KVBlockingStub keys;
        private final LeaseGrpc.LeaseBlockingStub leases;
        private final BlockingQueue<WatchResponse> responses = new LinkedBlockingQueue<>();

        Client(String endpoint) {
            channel = NettyChannelBuilder.forTarget(endpoint).usePlaintext().build();
            keys = KVGrpc.newBlockingStub(channel);
            leases = LeaseGrpc.newBlockingStub(channel);
        }

        long revision() {
            return keys.range(RangeRequest.newBuilder().setKey(ALL).build())
                    .getHeader()
                    .getRevision();
        }

        String call(Message request) {
            try {
                return comparable(send(request)).toString();
            } catch (StatusRuntimeException e) {
                return e.getStatus().getCode() + " " + e.getStatus().getDescription();
            }
        }

        /** Returns once the server has the watch: what is written, or compacted, after that is in its events. */
        void watch(long fromRevision) throws InterruptedException {
            WatchCreateRequest create = WatchCreateRequest.newBuilder()
                    .setKey(ALL)
                    .setRangeEnd(ALL)
                    .setPrevKv(true)
                    .setStartRevision(fromRevision)
                    .build();
            WatchGrpc.newStub(channel)
                    .watch(new StreamObserver<>() {
                        @Override
                        public void onNext(WatchResponse response) {
                            responses.add(response);
                        }

                        @Override
                        public void onError(Throwable cause) {}

                        @Override
                        public void onCompleted() {}
                    })
                    .onNext(WatchRequest.newBuilder().setCreateRequest(create).build());
            WatchResponse created = responses.poll(10, TimeUnit.SECONDS);
            assertThat(created).as("the watch").isNotNull();
            assertThat(created.getCreated()).as("the watch is created").isTrue();
        }

        /** All events up to a revision; those of one revision in key order where etcd leaves the order open. */
        List<String> events(long lastRevision) throws InterruptedException {
            List<Event> events = new ArrayList<>();
            long seen = 1;
            while (seen < lastRevision) {
                WatchResponse response = responses.poll(10, TimeUnit.SECONDS);
                assertThat(response)
                        .as("after revision %d of %d", seen, lastRevision)
                        .isNotNull();
                events.addAll(response.getEventsList());
                for (Event event : response.getEventsList()) {
                    seen = event.getKv().getModRevision();
                }
            }
            return events.stream().map(Event::toString).toList();
        }

        @Override
        public void close() {
            channel.shutdownNow();
        }

        private Message send(Message request) {
            if (request instanceof RangeRequest range) {
                return keys.range(range);
            } else if (request instanceof PutRequest put) {
                return keys.put(put);
            } else if (request instanceof DeleteRangeRequest delete) {
                return keys.deleteRange(delete);
            } else if (request instanceof TxnRequest transaction) {
                return keys.txn(transaction);
            } else if (request instanceof CompactionRequest compaction) {
                return keys.compact(compaction);
            } else if (request instanceof LeaseGrantRequest grant) {
                return leases.leaseGrant(grant);
            } else if (request instanceof LeaseRevokeRequest revoke) {
                return leases.leaseRevoke(revoke);
            }
            return leases.leaseTimeToLive((LeaseTimeToLiveRequest) request);
        }

        private static Message comparable(Message answer) {
            if (answer instanceof LeaseTimeToLiveResponse lease) {
                List<ByteString> keys = new ArrayList<>(lease.getKeysList());
                keys.sort(Comparator.comparing(ByteString::toStringUtf8));
                return lease.toBuilder()
                        .clearHeader()
                        .clearTTL()
                        .clearKeys()
                        .addAllKeys(keys)
                        .build();
            }
            Message.Builder builder = answer.toBuilder();
            FieldDescriptor header = answer.getDescriptorForType().findFieldByName("header");
            long revision = ((ResponseHeader) answer.getField(header)).getRevision();
            return builder.setField(
                            header,
                            ResponseHeader.newBuilder().setRevision(revision).build())
                    .build();
        }
    }
}
