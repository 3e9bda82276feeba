/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.context;

import java.io.IOException;

/** The run's runtime could not do what a round needs: this node's workers cannot work in that round. */
public final class RuntimeFailedException extends IOException {
    private static final long serialVersionUID = 1;

    /** @param runtime as it was chosen */
    public RuntimeFailedException(String runtime, Exception cause) {
        super("runtime " + runtime + " failed: " + cause, cause);
    }
}
