/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.rendezvous.loop.EventLoop;

/** PLACEHOLDER replaced below. */
final class ControlPlane {
    static ControlPlane start(NodeIdentity node, EventLoop loop) {
        return new ControlPlane();
    }

    int port() {
        return 1;
    }

    void attach(Rendezvous rendezvous) {}

    void joined(RunIdentity identity) {}

    void hold(NodeRecord coordinator) {}

    void release() {}

    void sayGoodbye(String reason) {}

    void close() {}
}
