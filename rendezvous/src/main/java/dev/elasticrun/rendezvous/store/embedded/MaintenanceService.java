/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.AlarmResponse;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.stub.StreamObserver;

/** What {@code etcdctl endpoint status} and {@code endpoint health} ask for. */
final class MaintenanceService extends MaintenanceGrpc.MaintenanceImplBase {
    /** The API level that is served. */
    private static final String VERSION = "3.4.0";

    private final EtcdState state;

    MaintenanceService(EtcdState state) {
        this.state = state;
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> observer) {
        Answer.with(observer, () -> StatusResponse.newBuilder()
                .setHeader(state.header())
                .setVersion(VERSION)
                .setDbSize(state.map().historyBytes())
                .setDbSizeInUse(state.map().historyBytes())
                .setLeader(state.memberId())
                .setRaftIndex(state.map().revision())
                .setRaftAppliedIndex(state.map().revision())
                .setRaftTerm(1)
                .build());
    }

    /** There are none, and none can be raised. */
    @Override
    public void alarm(AlarmRequest request, StreamObserver<AlarmResponse> observer) {
        Answer.with(
                observer,
                () -> AlarmResponse.newBuilder().setHeader(state.header()).build());
    }
}
