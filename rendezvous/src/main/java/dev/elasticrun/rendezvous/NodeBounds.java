/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

/** How many nodes a run is to have: those that it was started with, or those that it was scaled to since. */
record NodeBounds(int minNodes, int maxNodes) {

    static NodeBounds of(RunSpec spec) {
        return new NodeBounds(spec.minNodes(), spec.maxNodes());
    }

    String text() {
        return minNodes + ":" + maxNodes;
    }
}
