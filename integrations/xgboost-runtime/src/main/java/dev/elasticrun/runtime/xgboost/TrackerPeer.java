/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import java.io.IOException;

/** The peer of one of a tracker's connections. Owned by the tracker's thread. */
interface TrackerPeer {

    /**
     * Does what the connection is ready for.
     *
     * @throws IOException when it is of no more use
     */
    void proceed() throws IOException;

    /** For messages. */
    String who();

    /** The connection is of no more use: hangs up, and forgets it. */
    void drop();
}
