/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

/** How many nodes a run is to have: those that it was started with, or those that it was scaled to since. */
public record NodeBounds(int minNodes, int maxNodes) {
    public static final NodeBounds NONE = new NodeBounds(0, 0);

    public String text() {
        return minNodes + ":" + maxNodes;
    }
}
