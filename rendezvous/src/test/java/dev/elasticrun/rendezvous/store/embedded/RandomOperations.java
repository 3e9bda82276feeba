/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.Random;

/** Requests over few keys and leases, so that they meet; some are refused by every etcd. */
final class RandomOperations {
    private static final String[] KEYS = {"a", "a/1", "a/2", "b", "b/1", "c", "\0", "zz"};
    private static final int LEASES = 4;

    private final Random random;

    RandomOperations(long seed) {
        this.random = new Random(seed);
    }

    Message next(long revision) {
        int choice = random.nextInt(100);
        if (choice < 30) {
            return put();
        } else if (choice < 40) {
            return delete();
        } else if (choice < 60) {
            return range(revision);
        } else if (choice < 85) {
            return transaction(revision, 2);
        } else if (choice < 90) {
            return LeaseGrantRequest.newBuilder()
                    .setID(1L + random.nextInt(LEASES))
                    .setTTL(random.nextInt(20) == 0 ? Long.MAX_VALUE : 300L + random.nextInt(9))
                    .build();
        } else if (choice < 94) {
            return LeaseRevokeRequest.newBuilder().setID(lease()).build();
        } else if (choice < 97) {
            return LeaseTimeToLiveRequest.newBuilder()
                    .setID(lease())
                    .setKeys(true)
                    .build();
        }
        return CompactionRequest.newBuilder().setRevision(near(revision) - 5).build();
    }

    private PutRequest put() {
        PutRequest.Builder put = PutRequest.newBuilder()
                .setKey(key())
                .setValue(ByteString.copyFromUtf8("v" + random.nextInt(5)))
                .setPrevKv(random.nextBoolean());
        int choice = random.nextInt(12);
        if (choice == 0) {
            put.setIgnoreValue(true);
        } else if (choice == 1) {
            put.setIgnoreValue(true).clearValue();
        } else if (choice == 2) {
            put.setIgnoreLease(true);
        } else if (choice < 6) {
            put.setLease(lease());
        }
        return put.build();
    }

    private DeleteRangeRequest delete() {
        return DeleteRangeRequest.newBuilder()
                .setKey(key())
                .setRangeEnd(end())
                .setPrevKv(random.nextBoolean())
                .build();
    }

    private RangeRequest range(long revision) {
        RangeRequest.Builder range = RangeRequest.newBuilder()
                .setKey(key())
                .setRangeEnd(end())
                .setKeysOnly(random.nextInt(5) == 0)
                .setCountOnly(random.nextInt(8) == 0);
        if (random.nextInt(3) == 0) {
            range.setRevision(near(revision));
        }
        int choice = random.nextInt(8);
        if (choice == 0) {
            range.setLimit(1L + random.nextInt(3));
        } else if (choice == 1) {
            range.setLimit(2).setSortOrder(RangeRequest.SortOrder.DESCEND);
        } else if (choice == 2) {
            range.setMinModRevision(near(revision)).setMaxModRevision(revision);
        } else if (choice == 3) {
            range.setMinCreateRevision(near(revision)).setLimit(2);
        } else if (choice == 4) {
            range.setMaxCreateRevision(near(revision)).setSortOrder(RangeRequest.SortOrder.ASCEND);
        }
        return range.build();
    }

    private TxnRequest transaction(long revision, int depth) {
        TxnRequest.Builder transaction = TxnRequest.newBuilder();
        for (int i = random.nextInt(3); i > 0; i--) {
            transaction.addCompare(compare(revision));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            transaction.addSuccess(operation(revision, depth));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            transaction.addFailure(operation(revision, depth));
        }
        return transaction.build();
    }

    private RequestOp operation(long revision, int depth) {
        RequestOp.Builder operation = RequestOp.newBuilder();
        int choice = random.nextInt(depth > 0 ? 8 : 7);
        if (choice < 3) {
            return operation.setRequestPut(put()).build();
        } else if (choice < 4) {
            // etcd 3.4 does not see that a delete without end meets a put; we refuse it.
            DeleteRangeRequest delete = delete();
            boolean endless = delete.getRangeEnd().toStringUtf8().equals("\0");
            return operation
                    .setRequestDeleteRange(
                            endless ? delete.toBuilder().clearRangeEnd().build() : delete)
                    .build();
        } else if (choice < 7) {
            return operation.setRequestRange(range(revision)).build();
        }
        return operation.setRequestTxn(transaction(revision, depth - 1)).build();
    }

    private Compare compare(long revision) {
        Compare.Builder compare = Compare.newBuilder().setKey(key()).setResultValue(random.nextInt(4));
        if (random.nextInt(4) == 0) {
            compare.setRangeEnd(end());
        }
        return switch (random.nextInt(4)) {
            case 0 ->
                compare.setTarget(Compare.CompareTarget.VERSION)
                        .setVersion(random.nextInt(3))
                        .build();
            case 1 ->
                compare.setTarget(Compare.CompareTarget.CREATE)
                        .setCreateRevision(random.nextBoolean() ? 0 : near(revision))
                        .build();
            case 2 ->
                compare.setTarget(Compare.CompareTarget.MOD)
                        .setModRevision(random.nextBoolean() ? 0 : near(revision))
                        .build();
            default ->
                compare.setTarget(Compare.CompareTarget.VALUE)
                        .setValue(ByteString.copyFromUtf8("v" + random.nextInt(5)))
                        .build();
        };
    }

    private ByteString key() {
        return random.nextInt(60) == 0 ? ByteString.EMPTY : ByteString.copyFromUtf8(KEYS[random.nextInt(KEYS.length)]);
    }

    private ByteString end() {
        return random.nextInt(3) == 0 ? ByteString.EMPTY : ByteString.copyFromUtf8(KEYS[random.nextInt(KEYS.length)]);
    }

    /** Mostly one of the last revisions, sometimes one that is not there yet. */
    private long near(long revision) {
        return Math.max(1, revision + 2 - random.nextInt(15));
    }

    private long lease() {
        return 1L + random.nextInt(LEASES + 1);
    }
}
