/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.util.Locale;

/** What happens when the run had completed a checkpoint and no worker has any. */
public enum StateLoss {
    /** The run starts again from the beginning; the log records STATE_LOST. */
    RESTART,
    /** The run ends as failed, with STATE_LOST as the reason. */
    FAIL;

    /** As in flags and environment. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
