/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** Refusals, in etcd's own words: clients of etcd compare the texts. */
final class EtcdErrors {
    private EtcdErrors() {}

    static StatusRuntimeException emptyKey() {
        return refuse(Status.INVALID_ARGUMENT, "key is not provided");
    }

    static StatusRuntimeException keyNotFound() {
        return refuse(Status.INVALID_ARGUMENT, "key not found");
    }

    static StatusRuntimeException valueProvided() {
        return refuse(Status.INVALID_ARGUMENT, "value is provided");
    }

    static StatusRuntimeException leaseProvided() {
        return refuse(Status.INVALID_ARGUMENT, "lease is provided");
    }

    static StatusRuntimeException tooManyOperations() {
        return refuse(Status.INVALID_ARGUMENT, "too many operations in txn request");
    }

    static StatusRuntimeException duplicateKey() {
        return refuse(Status.INVALID_ARGUMENT, "duplicate key given in txn request");
    }

    static StatusRuntimeException invalidSort() {
        return refuse(Status.INVALID_ARGUMENT, "invalid sort option");
    }

    static StatusRuntimeException requestTooLarge() {
        return refuse(Status.INVALID_ARGUMENT, "request is too large");
    }

    static StatusRuntimeException compacted() {
        return refuse(Status.OUT_OF_RANGE, "mvcc: required revision has been compacted");
    }

    static StatusRuntimeException futureRevision() {
        return refuse(Status.OUT_OF_RANGE, "mvcc: required revision is a future revision");
    }

    static StatusRuntimeException leaseNotFound() {
        return refuse(Status.NOT_FOUND, "requested lease not found");
    }

    static StatusRuntimeException leaseExists() {
        return refuse(Status.FAILED_PRECONDITION, "lease already exists");
    }

    static StatusRuntimeException leaseTooLong() {
        return refuse(Status.OUT_OF_RANGE, "too large lease TTL");
    }

    private static StatusRuntimeException refuse(Status status, String text) {
        return status.withDescription("etcdserver: " + text).asRuntimeException();
    }
}
