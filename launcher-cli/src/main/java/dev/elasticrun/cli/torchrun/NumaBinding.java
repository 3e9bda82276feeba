/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.torchrun;

import dev.elasticrun.agent.config.CpuBinding;
import dev.elasticrun.agent.config.Settings;

/** {@code --numa-binding}: what part of the machine each worker runs on. Pure. */
final class NumaBinding {
    private NumaBinding() {}

    static Translation translate(String text) {
        return switch (text) {
            case "node" -> to(CpuBinding.NUMA, text, "");
            case "socket" -> to(CpuBinding.NUMA, text, ": one NUMA node, also where a socket has several");
            case "exclusive" -> to(CpuBinding.CORE, text, "");
            case "core-complex" -> to(CpuBinding.CORE, text, ": whatever cores share a cache");
            default -> throw new IllegalArgumentException("node, socket, exclusive or core-complex");
        };
    }

    private static Translation to(CpuBinding binding, String theirs, String difference) {
        return Translation.NOTHING
                .with(Settings.BIND_TO, binding.text())
                .noting("--numa-binding " + theirs + " is --bind-to " + binding.text() + difference);
    }
}
