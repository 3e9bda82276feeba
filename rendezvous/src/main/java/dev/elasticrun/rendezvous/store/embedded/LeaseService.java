/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseRevokeResponse;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

/** Leases over the wire. */
final class LeaseService extends LeaseGrpc.LeaseImplBase {
    private final EtcdState state;

    LeaseService(EtcdState state) {
        this.state = state;
    }

    @Override
    public void leaseGrant(LeaseGrantRequest request, StreamObserver<LeaseGrantResponse> observer) {
        Answer.with(observer, () -> {
            WriteAccess.require("grant of a lease");
            LeaseTable.Lease lease = state.leases().grant(request.getID(), request.getTTL(), System.nanoTime());
            return LeaseGrantResponse.newBuilder()
                    .setHeader(state.header())
                    .setID(lease.id())
                    .setTTL(lease.ttlSeconds())
                    .build();
        });
    }

    @Override
    public void leaseRevoke(LeaseRevokeRequest request, StreamObserver<LeaseRevokeResponse> observer) {
        Answer.with(observer, () -> {
            WriteAccess.require("revoke of a lease");
            state.revoke(state.leases().require(request.getID()));
            return LeaseRevokeResponse.newBuilder().setHeader(state.header()).build();
        });
    }

    @Override
    public void leaseTimeToLive(LeaseTimeToLiveRequest request, StreamObserver<LeaseTimeToLiveResponse> observer) {
        Answer.with(observer, () -> {
            LeaseTimeToLiveResponse.Builder response = LeaseTimeToLiveResponse.newBuilder()
                    .setHeader(state.header())
                    .setID(request.getID());
            LeaseTable.Lease lease = state.leases().find(request.getID());
            if (lease == null) {
                return response.setTTL(-1).build();
            }
            if (request.getKeys()) {
                response.addAllKeys(lease.keys());
            }
            return response.setTTL(lease.remainingSeconds(System.nanoTime()))
                    .setGrantedTTL(lease.ttlSeconds())
                    .build();
        });
    }

    @Override
    public StreamObserver<LeaseKeepAliveRequest> leaseKeepAlive(StreamObserver<LeaseKeepAliveResponse> observer) {
        return new StreamObserver<>() {
            private boolean ended;

            @Override
            public void onNext(LeaseKeepAliveRequest request) {
                if (ended) {
                    return;
                }
                try {
                    WriteAccess.require("renewal of a lease");
                    observer.onNext(renew(request));
                } catch (StatusRuntimeException e) {
                    ended = true;
                    observer.onError(e);
                }
            }

            @Override
            public void onError(Throwable cause) {
                ended = true;
            }

            @Override
            public void onCompleted() {
                if (!ended) {
                    ended = true;
                    observer.onCompleted();
                }
            }
        };
    }

    /** A lease that is not there has a time to live of 0. */
    private LeaseKeepAliveResponse renew(LeaseKeepAliveRequest request) {
        LeaseKeepAliveResponse.Builder response =
                LeaseKeepAliveResponse.newBuilder().setHeader(state.header()).setID(request.getID());
        LeaseTable.Lease lease = state.leases().find(request.getID());
        if (lease != null) {
            state.leases().renew(lease, System.nanoTime());
            response.setTTL(lease.ttlSeconds());
        }
        return response.build();
    }
}
