/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import java.util.Optional;

/** Where agents meet. */
sealed interface StorePlace {
    /** In the only agent. */
    record InAgent() implements StorePlace {}

    /** Where the user's flags put it. */
    record Given() implements StorePlace {}

    /**
     * An etcd that belongs to the job.
     *
     * @param storage size of its volume; empty = its data is lost with its pod
     */
    record OfJob(String image, Optional<String> storage) implements StorePlace {}
}
