/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;

/**
 * Transactions as etcd runs them: all comparisons, of nested transactions too, see the state before the first write, and
 * whatever can be refused is refused before it.
 */
final class KvTransaction {
    private final EtcdState state;
    private final KvOperations operations;

    KvTransaction(EtcdState state, KvOperations operations) {
        this.state = state;
        this.operations = operations;
    }

    TxnResponse run(TxnRequest request) {
        Queue<Boolean> outcomes = new ArrayDeque<>();
        List<RequestOp> taken = new ArrayList<>();
        decide(request, outcomes, taken);
        // etcd refuses for the first bad put, whatever the reads before it ask for.
        taken.stream()
                .filter(RequestOp::hasRequestPut)
                .forEach(operation -> operations.checkAgainstState(operation.getRequestPut()));
        taken.stream().filter(RequestOp::hasRequestRange).forEach(operation -> state.map()
                .checkReadable(operation.getRequestRange().getRevision()));
        return apply(request, outcomes);
    }

    /** Walks the branches that will be taken and notes which they are, and their operations. */
    private void decide(TxnRequest request, Queue<Boolean> outcomes, List<RequestOp> taken) {
        boolean succeeded = request.getCompareList().stream().allMatch(this::holds);
        outcomes.add(succeeded);
        for (RequestOp operation : branch(request, succeeded)) {
            if (operation.hasRequestTxn()) {
                decide(operation.getRequestTxn(), outcomes, taken);
            } else {
                taken.add(operation);
            }
        }
    }

    private TxnResponse apply(TxnRequest request, Queue<Boolean> outcomes) {
        boolean succeeded = outcomes.remove();
        TxnResponse.Builder response = TxnResponse.newBuilder()
                .setHeader(ResponseHeader.getDefaultInstance())
                .setSucceeded(succeeded);
        for (RequestOp operation : branch(request, succeeded)) {
            ResponseOp.Builder part = response.addResponsesBuilder();
            switch (operation.getRequestCase()) {
                case REQUEST_RANGE -> part.setResponseRange(operations.range(operation.getRequestRange()));
                case REQUEST_PUT -> part.setResponsePut(operations.put(operation.getRequestPut()));
                case REQUEST_DELETE_RANGE ->
                    part.setResponseDeleteRange(operations.delete(operation.getRequestDeleteRange()));
                case REQUEST_TXN -> part.setResponseTxn(apply(operation.getRequestTxn(), outcomes));
                case REQUEST_NOT_SET -> {}
            }
        }
        return response.build();
    }

    private static List<RequestOp> branch(TxnRequest request, boolean succeeded) {
        return succeeded ? request.getSuccessList() : request.getFailureList();
    }

    /** A range holds when all its keys do; no key at all compares like one with all numbers 0 and no value to match. */
    private boolean holds(Compare compare) {
        Collection<KeyValue> entries = state.map().range(compare.getKey(), compare.getRangeEnd(), 0);
        if (entries.isEmpty()) {
            return compare.getTarget() != Compare.CompareTarget.VALUE && holds(compare, KeyValue.getDefaultInstance());
        }
        return entries.stream().allMatch(entry -> holds(compare, entry));
    }

    private static boolean holds(Compare compare, KeyValue entry) {
        int order =
                switch (compare.getTarget()) {
                    case VERSION -> Long.compare(entry.getVersion(), compare.getVersion());
                    case CREATE -> Long.compare(entry.getCreateRevision(), compare.getCreateRevision());
                    case MOD -> Long.compare(entry.getModRevision(), compare.getModRevision());
                    case VALUE -> RevisionedMap.compare(entry.getValue(), compare.getValue());
                    case UNRECOGNIZED -> 0;
                };
        return switch (compare.getResult()) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case GREATER -> order > 0;
            case LESS -> order < 0;
            case UNRECOGNIZED -> true;
        };
    }
}
