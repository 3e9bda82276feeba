/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What etcd refuses without a look at its state. */
final class RequestRules {
    /** etcd's default. */
    static final int MAX_OPERATIONS = 128;

    private RequestRules() {}

    static void check(RangeRequest request) {
        requireKey(request.getKey());
        if (request.getSortOrder() == RangeRequest.SortOrder.UNRECOGNIZED
                || request.getSortTarget() == RangeRequest.SortTarget.UNRECOGNIZED) {
            throw EtcdErrors.invalidSort();
        }
    }

    static void check(PutRequest request) {
        requireKey(request.getKey());
        if (request.getIgnoreValue() && !request.getValue().isEmpty()) {
            throw EtcdErrors.valueProvided();
        }
        if (request.getIgnoreLease() && request.getLease() != 0) {
            throw EtcdErrors.leaseProvided();
        }
    }

    static void check(DeleteRangeRequest request) {
        requireKey(request.getKey());
    }

    static void check(TxnRequest request) {
        checkOperations(request, MAX_OPERATIONS);
        Touched.by(request.getSuccessList());
        Touched.by(request.getFailureList());
    }

    static boolean writes(TxnRequest request) {
        return writes(request.getSuccessList()) || writes(request.getFailureList());
    }

    private static boolean writes(List<RequestOp> operations) {
        return operations.stream().anyMatch(operation -> switch (operation.getRequestCase()) {
            case REQUEST_PUT, REQUEST_DELETE_RANGE -> true;
            case REQUEST_TXN -> writes(operation.getRequestTxn());
            case REQUEST_RANGE, REQUEST_NOT_SET -> false;
        });
    }

    private static void checkOperations(TxnRequest request, int allowed) {
        int most = Math.max(request.getCompareCount(), Math.max(request.getSuccessCount(), request.getFailureCount()));
        if (most > allowed) {
            throw EtcdErrors.tooManyOperations();
        }
        request.getCompareList().forEach(compare -> requireKey(compare.getKey()));
        for (List<RequestOp> branch : List.of(request.getSuccessList(), request.getFailureList())) {
            for (RequestOp operation : branch) {
                switch (operation.getRequestCase()) {
                    case REQUEST_RANGE -> check(operation.getRequestRange());
                    case REQUEST_PUT -> check(operation.getRequestPut());
                    case REQUEST_DELETE_RANGE -> check(operation.getRequestDeleteRange());
                    case REQUEST_TXN -> checkOperations(operation.getRequestTxn(), allowed - most);
                    // As in etcd, an operation without content is a key without a name.
                    case REQUEST_NOT_SET -> throw EtcdErrors.keyNotFound();
                }
            }
        }
    }

    private static void requireKey(ByteString key) {
        if (key.isEmpty()) {
            throw EtcdErrors.emptyKey();
        }
    }

    /** Keys that one branch writes. No key may be put twice, or put and deleted, as both would have one revision. */
    private record Touched(Set<ByteString> puts, List<DeleteRangeRequest> deletes) {

        static Touched by(List<RequestOp> operations) {
            Touched all = new Touched(new HashSet<>(), new ArrayList<>());
            for (RequestOp operation : operations) {
                if (operation.hasRequestDeleteRange()) {
                    all.deletes.add(operation.getRequestDeleteRange());
                }
            }
            for (RequestOp operation : operations) {
                if (operation.hasRequestTxn()) {
                    all.addNested(operation.getRequestTxn());
                }
            }
            for (RequestOp operation : operations) {
                if (operation.hasRequestPut()) {
                    all.addPut(operation.getRequestPut().getKey());
                }
            }
            return all;
        }

        private void addNested(TxnRequest request) {
            Touched onSuccess = by(request.getSuccessList());
            Touched onFailure = by(request.getFailureList());
            onSuccess.puts.forEach(this::addPut);
            // Only one of the two branches will be run.
            onFailure.puts.stream().filter(key -> !onSuccess.puts.contains(key)).forEach(this::addPut);
            deletes.addAll(onSuccess.deletes);
            deletes.addAll(onFailure.deletes);
        }

        private void addPut(ByteString key) {
            boolean deleted = deletes.stream()
                    .anyMatch(delete -> RevisionedMap.contains(delete.getKey(), delete.getRangeEnd(), key));
            if (deleted || !puts.add(key)) {
                throw EtcdErrors.duplicateKey();
            }
        }
    }
}
