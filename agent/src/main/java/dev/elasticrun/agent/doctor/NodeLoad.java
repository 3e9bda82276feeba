/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.launch.LaunchConfig;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a run would put on a node.
 *
 * @param workers on this node, with spare ones
 * @param worldSize workers of all nodes, at most
 * @param heapBytes the limit of each worker's heap; empty = that of the JVM, which depends on the machine
 * @param checkpointBytes size of a checkpoint; empty = not known
 */
record NodeLoad(int workers, int worldSize, OptionalLong heapBytes, OptionalLong checkpointBytes) {
    /** A node has two versions of a state, and a third one while that is written. */
    static final int FILES_OF_A_STATE = 3;

    private static final Pattern HEAP = Pattern.compile("-Xmx(\\d{1,12})([kKmMgGtT]?)");

    static NodeLoad of(LaunchConfig config, OptionalLong checkpointBytes) {
        int workers = config.size().nprocPerNode() + config.restarts().spareWorkers();
        return new NodeLoad(
                workers,
                config.size().maxNodes() * config.size().nprocPerNode(),
                heap(config.workers().javaOpts()),
                checkpointBytes);
    }

    // The last one counts, as for the JVM.
    private static OptionalLong heap(List<String> options) {
        OptionalLong heap = OptionalLong.empty();
        for (String option : options) {
            Matcher matcher = HEAP.matcher(option);
            if (matcher.matches()) {
                int unit = "kmgt".indexOf(matcher.group(2).toLowerCase(Locale.ROOT)) + 1;
                heap = OptionalLong.of(Long.parseLong(matcher.group(1))
                        << (10 * (matcher.group(2).isEmpty() ? 0 : unit)));
            }
        }
        return heap;
    }

    /** Space for the files of a state; 0 = its size is not known. */
    long stateBytes() {
        return checkpointBytes.orElse(0) * FILES_OF_A_STATE;
    }
}
