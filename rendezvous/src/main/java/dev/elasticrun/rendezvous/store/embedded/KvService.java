/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import com.google.protobuf.MessageLite;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.CompactionResponse;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.stub.StreamObserver;

/** Keys over the wire. */
final class KvService extends KVGrpc.KVImplBase {
    /** etcd's default. */
    static final int MAX_REQUEST_BYTES = 3 << 19;

    private final EtcdState state;
    private final KvOperations operations;
    private final KvTransaction transaction;

    KvService(EtcdState state) {
        this.state = state;
        this.operations = new KvOperations(state);
        this.transaction = new KvTransaction(state, operations);
    }

    @Override
    public void range(RangeRequest request, StreamObserver<RangeResponse> observer) {
        Answer.with(observer, () -> {
            RequestRules.check(request);
            return operations.range(request).toBuilder()
                    .setHeader(state.header())
                    .build();
        });
    }

    @Override
    public void put(PutRequest request, StreamObserver<PutResponse> observer) {
        Answer.with(observer, () -> {
            WriteAccess.require("put");
            checkSize(request);
            RequestRules.check(request);
            operations.checkAgainstState(request);
            PutResponse.Builder response = operations.put(request).toBuilder();
            state.commit();
            return response.setHeader(state.header()).build();
        });
    }

    @Override
    public void deleteRange(DeleteRangeRequest request, StreamObserver<DeleteRangeResponse> observer) {
        Answer.with(observer, () -> {
            WriteAccess.require("delete");
            RequestRules.check(request);
            DeleteRangeResponse.Builder response = operations.delete(request).toBuilder();
            state.commit();
            return response.setHeader(state.header()).build();
        });
    }

    @Override
    public void txn(TxnRequest request, StreamObserver<TxnResponse> observer) {
        Answer.with(observer, () -> {
            if (RequestRules.writes(request)) {
                WriteAccess.require("transaction with writes");
            }
            checkSize(request);
            RequestRules.check(request);
            TxnResponse.Builder response = transaction.run(request).toBuilder();
            state.commit();
            return response.setHeader(state.header()).build();
        });
    }

    @Override
    public void compact(CompactionRequest request, StreamObserver<CompactionResponse> observer) {
        Answer.with(observer, () -> {
            WriteAccess.require("compaction");
            state.map().compact(request.getRevision());
            return CompactionResponse.newBuilder().setHeader(state.header()).build();
        });
    }

    private static void checkSize(MessageLite request) {
        if (request.getSerializedSize() > MAX_REQUEST_BYTES) {
            throw EtcdErrors.requestTooLarge();
        }
    }
}
