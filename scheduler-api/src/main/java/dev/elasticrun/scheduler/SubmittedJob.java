/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import java.util.List;

/**
 * A job that was started.
 *
 * @param id without the name of the scheduler
 * @param remarks sentences about what its user should know
 */
public record SubmittedJob(String id, List<String> remarks) {
    public SubmittedJob {
        remarks = List.copyOf(remarks);
    }
}
