/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** Turns a function into the answer of a unary call. */
final class Answer {
    private Answer() {}

    static <R> void with(StreamObserver<R> observer, Supplier<R> function) {
        R response;
        try {
            response = function.get();
        } catch (StatusRuntimeException e) {
            observer.onError(e);
            return;
        }
        observer.onNext(response);
        observer.onCompleted();
    }
}
