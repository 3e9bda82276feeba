/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeRequest.SortOrder;
import io.etcd.jetcd.api.RangeRequest.SortTarget;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Single operations inside a running write; requests have passed {@link RequestRules}. */
final class KvOperations {
    private final EtcdState state;

    KvOperations(EtcdState state) {
        this.state = state;
    }

    /** What can only be judged with the state at hand. Checked before anything is applied. */
    void checkAgainstState(PutRequest request) {
        if ((request.getIgnoreValue() || request.getIgnoreLease())
                && state.map().get(request.getKey()) == null) {
            throw EtcdErrors.keyNotFound();
        }
        if (request.getLease() != 0) {
            state.leases().require(request.getLease());
        }
    }

    PutResponse put(PutRequest request) {
        KeyValue old = state.map().get(request.getKey());
        ByteString value = request.getIgnoreValue() && old != null ? old.getValue() : request.getValue();
        long leaseId = request.getIgnoreLease() && old != null ? old.getLease() : request.getLease();
        KeyValue before = state.map().put(request.getKey(), value, leaseId);
        PutResponse.Builder response = PutResponse.newBuilder().setHeader(header());
        if (request.getPrevKv() && before != null) {
            response.setPrevKv(before);
        }
        return response.build();
    }

    DeleteRangeResponse delete(DeleteRangeRequest request) {
        List<KeyValue> gone = state.map().delete(request.getKey(), request.getRangeEnd());
        DeleteRangeResponse.Builder response =
                DeleteRangeResponse.newBuilder().setHeader(header()).setDeleted(gone.size());
        if (request.getPrevKv()) {
            response.addAllPrevKvs(gone);
        }
        return response.build();
    }

    RangeResponse range(RangeRequest request) {
        Collection<KeyValue> found = state.map().range(request.getKey(), request.getRangeEnd(), request.getRevision());
        RangeResponse.Builder response =
                RangeResponse.newBuilder().setHeader(header()).setCount(found.size());
        if (request.getCountOnly()) {
            return response.build();
        }
        List<KeyValue> chosen = sort(found.stream().filter(entry -> isWanted(request, entry)), request)
                .toList();
        int limit = (int) Math.min(request.getLimit() > 0 ? request.getLimit() : chosen.size(), chosen.size());
        response.setMore(limit < chosen.size());
        for (KeyValue entry : chosen.subList(0, limit)) {
            response.addKvs(
                    request.getKeysOnly() ? entry.toBuilder().clearValue().build() : entry);
        }
        return response.build();
    }

    /** As a part of a transaction has it; the services put the whole one on top. */
    private ResponseHeader header() {
        return ResponseHeader.newBuilder()
                .setRevision(state.map().visibleRevision())
                .build();
    }

    private static boolean isWanted(RangeRequest request, KeyValue entry) {
        long mod = entry.getModRevision();
        long create = entry.getCreateRevision();
        return (request.getMinModRevision() == 0 || mod >= request.getMinModRevision())
                && (request.getMaxModRevision() == 0 || mod <= request.getMaxModRevision())
                && (request.getMinCreateRevision() == 0 || create >= request.getMinCreateRevision())
                && (request.getMaxCreateRevision() == 0 || create <= request.getMaxCreateRevision());
    }

    private static Stream<KeyValue> sort(Stream<KeyValue> entries, RangeRequest request) {
        Comparator<KeyValue> order =
                switch (request.getSortTarget()) {
                    case VERSION -> Comparator.comparingLong(KeyValue::getVersion);
                    case CREATE -> Comparator.comparingLong(KeyValue::getCreateRevision);
                    case MOD -> Comparator.comparingLong(KeyValue::getModRevision);
                    case VALUE -> (one, other) -> RevisionedMap.compare(one.getValue(), other.getValue());
                    case KEY, UNRECOGNIZED -> (one, other) -> RevisionedMap.compare(one.getKey(), other.getKey());
                };
        if (request.getSortOrder() == SortOrder.DESCEND) {
            return entries.sorted(order.reversed());
        }
        return request.getSortTarget() == SortTarget.KEY ? entries : entries.sorted(order);
    }
}
