/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import dev.elasticrun.proto.ChallengeReply;
import dev.elasticrun.proto.ChallengeRequest;
import dev.elasticrun.proto.HoldFrame;
import io.grpc.stub.StreamObserver;

/** What an agent asks of a neighbour's control service, over one channel. Answers come on threads of the channel. */
public interface HoldCalls {

    void challenge(ChallengeRequest request, StreamObserver<ChallengeReply> replies);

    StreamObserver<HoldFrame> hold(StreamObserver<HoldFrame> replies);

    /** Completes the transmission of what was sent; there are no calls after it. */
    void close();

    /** Ends the connection as the end of the process would. Called by any thread. */
    void abort();
}
