/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.MemberListResponse;
import io.grpc.stub.StreamObserver;

/** A cluster of one. */
final class ClusterService extends ClusterGrpc.ClusterImplBase {
    private final EtcdState state;
    private final String url;
    private volatile int port;

    ClusterService(EtcdState state, String url) {
        this.state = state;
        this.url = url;
    }

    /** Known only once the server has its port. */
    void listensOn(int chosenPort) {
        port = chosenPort;
    }

    @Override
    public void memberList(MemberListRequest request, StreamObserver<MemberListResponse> observer) {
        Answer.with(observer, () -> MemberListResponse.newBuilder()
                .setHeader(state.header())
                .addMembers(Member.newBuilder()
                        .setID(state.memberId())
                        .setName("elastic-run")
                        .addClientURLs(url + ":" + port))
                .build());
    }
}
