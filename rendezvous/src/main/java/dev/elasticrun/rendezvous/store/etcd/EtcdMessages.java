/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.StoreFacts;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.store.WatchListener.WatchEvent;
import io.etcd.jetcd.api.AlarmResponse;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.StatusResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchRequest;
import java.util.List;

/** The store's records as etcd's messages, and back. */
final class EtcdMessages {
    private EtcdMessages() {}

    static RangeRequest range(KeyRange range) {
        return get(new Operation.Get(range));
    }

    private static RangeRequest get(Operation.Get get) {
        return RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(get.range().from()))
                .setRangeEnd(ByteString.copyFromUtf8(get.range().to()))
                .setLimit(get.limit())
                .setKeysOnly(get.keysOnly())
                .setMinModRevision(get.modifiedAfter() == 0 ? 0 : get.modifiedAfter() + 1)
                .build();
    }

    static TxnRequest transaction(Transaction transaction) {
        TxnRequest.Builder request = TxnRequest.newBuilder();
        transaction.guards().forEach(guard -> request.addCompare(compare(guard)));
        transaction.onSuccess().forEach(operation -> request.addSuccess(operation(operation)));
        transaction.onFailure().forEach(operation -> request.addFailure(operation(operation)));
        return request.build();
    }

    static WatchRequest watch(KeyRange range, long fromRevision) {
        return WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(range.from()))
                        .setRangeEnd(ByteString.copyFromUtf8(range.to()))
                        .setStartRevision(fromRevision))
                .build();
    }

    /** {@code header} comes from the enclosing answer: the parts of a transaction carry no cluster id. */
    static KeyValues keyValues(RangeResponse response, ResponseHeader header) {
        List<KeyValue> entries =
                response.getKvsList().stream().map(EtcdMessages::keyValue).toList();
        return new KeyValues(header.getRevision(), header.getClusterId(), entries, response.getCount());
    }

    static TransactionResult result(TxnResponse response) {
        List<KeyValues> reads = response.getResponsesList().stream()
                .filter(ResponseOp::hasResponseRange)
                .map(part -> keyValues(part.getResponseRange(), response.getHeader()))
                .toList();
        return new TransactionResult(
                response.getSucceeded(), response.getHeader().getRevision(), reads);
    }

    static WatchEvent event(Event event) {
        io.etcd.jetcd.api.KeyValue entry = event.getKv();
        return event.getType() == Event.EventType.DELETE
                ? new WatchEvent.Deleted(entry.getKey().toStringUtf8(), entry.getModRevision())
                : new WatchEvent.Written(keyValue(entry));
    }

    private static KeyValue keyValue(io.etcd.jetcd.api.KeyValue entry) {
        return new KeyValue(
                entry.getKey().toStringUtf8(),
                entry.getValue().toByteArray(),
                entry.getCreateRevision(),
                entry.getModRevision(),
                entry.getLease());
    }

    private static Compare compare(Guard guard) {
        Compare.Builder compare = Compare.newBuilder()
                .setKey(ByteString.copyFromUtf8(guard.key()))
                .setResult(Compare.CompareResult.EQUAL);
        if (guard instanceof Guard.CreateRevision create) {
            return compare.setTarget(Compare.CompareTarget.CREATE)
                    .setCreateRevision(create.revision())
                    .build();
        }
        Guard.ModRevision mod = (Guard.ModRevision) guard;
        return compare.setTarget(Compare.CompareTarget.MOD)
                .setModRevision(mod.revision())
                .build();
    }

    static StoreFacts facts(StatusResponse status, AlarmResponse alarms) {
        return new StoreFacts(
                status.getVersion(),
                status.getDbSize(),
                status.getDbSizeInUse(),
                alarms.getAlarmsList().stream()
                        .map(alarm -> alarm.getAlarm().name())
                        .distinct()
                        .toList());
    }

    private static RequestOp operation(Operation operation) {
        RequestOp.Builder request = RequestOp.newBuilder();
        if (operation instanceof Operation.Put put) {
            request.setRequestPut(PutRequest.newBuilder()
                    .setKey(ByteString.copyFromUtf8(put.key()))
                    .setValue(UnsafeByteOperations.unsafeWrap(put.value()))
                    .setLease(put.leaseId()));
        } else if (operation instanceof Operation.Delete delete) {
            request.setRequestDeleteRange(DeleteRangeRequest.newBuilder()
                    .setKey(ByteString.copyFromUtf8(delete.range().from()))
                    .setRangeEnd(ByteString.copyFromUtf8(delete.range().to())));
        } else {
            request.setRequestRange(get((Operation.Get) operation));
        }
        return request.build();
    }
}
