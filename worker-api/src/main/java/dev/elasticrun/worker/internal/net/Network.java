/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.io.Closeable;
import java.io.IOException;

/** Where wires come from: sockets, or, in tests, memory. Any thread. */
public interface Network {

    /** An end that is not connected yet, so that it can be closed while it connects. */
    Outgoing outgoing() throws IOException;

    /** The same for a call to a worker of this node, whose words need no encryption as long as they stay on the host. */
    default Outgoing outgoingWithinNode() throws IOException {
        return outgoing();
    }

    /** Takes calls from now on. Port 0 = any. */
    Door listen(int port) throws IOException;

    /** A wire that begins here. */
    interface Outgoing extends Wire {

        /** Once, before anything else; blocks. */
        void connect(String host, int port) throws IOException;
    }

    /** An address for callers. */
    interface Door extends Closeable {

        int port();

        /** Blocks until a caller connects; throws when the listener is closed. */
        Wire accept() throws IOException;

        boolean isOpen();
    }
}
