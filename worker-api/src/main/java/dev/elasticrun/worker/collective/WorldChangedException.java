/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.WorkerEvent;

/**
 * The round that an operation belonged to is over. Thrown only after a newer event arrived. The caller drops the
 * collective, waits for a round to work in, joins it and continues from the checkpoint restored there; {@code
 * ElasticLoop} does all of that.
 */
public final class WorldChangedException extends RuntimeException {
    private final long round;
    private final transient WorkerEvent event;

    public WorldChangedException(long round, WorkerEvent event) {
        super("round " + round + " is over: " + event.cause());
        this.round = round;
        this.event = event;
    }

    /** The round that is over. */
    public long round() {
        return round;
    }

    /** The event that ended the wait; a newer one may have arrived since. */
    public WorkerEvent event() {
        return event;
    }
}
