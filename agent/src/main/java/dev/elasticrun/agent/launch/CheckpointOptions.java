/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.config.StateLoss;
import dev.elasticrun.rendezvous.terms.LocalProtection;
import java.nio.file.Path;
import java.util.Optional;

/** How checkpoints are kept. */
public record CheckpointOptions(SettingValues values) {
    /** Where durable copies go, the same for all nodes; empty = none are made. */
    public Optional<Path> directory() {
        return values.find(Settings.CHECKPOINT_DIR);
    }

    public int every() {
        return values.get(Settings.CHECKPOINT_EVERY);
    }

    /** On how many nodes each version is, as far as there are nodes. */
    public int replicas() {
        return values.get(Settings.CHECKPOINT_REPLICAS);
    }

    public int localReplicas() {
        return values.get(Settings.LOCAL_REPLICAS);
    }

    /** Most nodes of a group in which parity takes the place of copies; 0 = there are copies. */
    public int parity() {
        return values.get(Settings.CHECKPOINT_PARITY);
    }

    /** What these two set; the same for all nodes. */
    public LocalProtection localProtection() {
        return parity() > 0 ? LocalProtection.parity(parity()) : LocalProtection.copies(localReplicas());
    }

    public StateLoss onStateLoss() {
        return values.get(Settings.ON_STATE_LOSS);
    }
}
