/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** Watches over the wire. */
final class WatchService extends WatchGrpc.WatchImplBase {
    private final EtcdState state;
    private final WatchBacklog backlog = new WatchBacklog();

    WatchService(EtcdState state) {
        this.state = state;
    }

    @Override
    public StreamObserver<WatchRequest> watch(StreamObserver<WatchResponse> observer) {
        WatchSession stream = new WatchSession(state, (ServerCallStreamObserver<WatchResponse>) observer, backlog);
        return new StreamObserver<>() {
            @Override
            public void onNext(WatchRequest request) {
                switch (request.getRequestUnionCase()) {
                    case CREATE_REQUEST -> stream.create(request.getCreateRequest());
                    case CANCEL_REQUEST ->
                        stream.cancel(request.getCancelRequest().getWatchId());
                    case PROGRESS_REQUEST -> stream.progress();
                    case REQUESTUNION_NOT_SET -> {}
                }
            }

            @Override
            public void onError(Throwable cause) {
                stream.close();
            }

            @Override
            public void onCompleted() {
                stream.complete();
            }
        };
    }
}
