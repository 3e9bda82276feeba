/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.WorkerProgram;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The environment of a worker: the agent's, the user's, settings, and the worker's place. Pure. */
final class WorkerEnvironment {
    // Removed when the agent inherited them, since they would mislead: under soft policies a rank is not in the
    // environment.
    private static final List<String> PLACES = List.of(
            WorkerEnv.RANK,
            WorkerEnv.WORLD_SIZE,
            WorkerEnv.ROLE_RANK,
            WorkerEnv.ROLE_WORLD_SIZE,
            WorkerEnv.GROUP_RANK,
            WorkerEnv.GROUP_WORLD_SIZE,
            WorkerEnv.MASTER_ADDR,
            WorkerEnv.MASTER_PORT,
            WorkerEnv.ROUND,
            WorkerEnv.CHECKPOINT_DIR,
            WorkerEnv.CHECKPOINT_EVERY,
            WorkerEnv.CHECKPOINT_DISK,
            WorkerEnv.REPLACES_WORKERS,
            WorkerEnv.TLS,
            WorkerEnv.BIND_ADDR,
            WorkerEnv.PORT_RANGE);

    private WorkerEnvironment() {}

    /**
     * All variables of one worker.
     *
     * @param place where it listens
     * @param gpus that this node may use
     * @param replacesWorkers whether the policy lets another process take a worker's place
     * @param temporary directory for its temporary files, unless the user chose one
     * @param checkpointDisk directory of the node for checkpoint files that do not fit into the run directory
     * @param info its place, where it is known before the worker starts
     */
    static Map<String, String> of(
            Map<String, String> inherited,
            LaunchConfig config,
            ListenPlace place,
            List<String> gpus,
            String runId,
            int slot,
            int restartCount,
            int maxRestarts,
            boolean replacesWorkers,
            ChannelLayout layout,
            Path temporary,
            Optional<Path> checkpointDisk,
            Path errorFile,
            @Nullable WorkerInfo info) {
        Map<String, String> environment = new TreeMap<>(inherited);
        PLACES.forEach(environment::remove);
        environment.put(WorkerProgram.TMPDIR, temporary.toString());
        environment.putAll(config.workers().environment());
        environment.putAll(config.values().toWorkers());
        environment.put(WorkerEnv.LOCAL_RANK, Integer.toString(slot));
        environment.put(
                WorkerEnv.LOCAL_WORLD_SIZE, Integer.toString(config.size().nprocPerNode()));
        environment.put(WorkerEnv.RUN_ID, runId);
        environment.put(WorkerEnv.RESTART_COUNT, Integer.toString(restartCount));
        environment.put(WorkerEnv.MAX_RESTARTS, Integer.toString(maxRestarts));
        if (config.tls().on()) {
            environment.put(WorkerEnv.TLS, "true");
        }
        if (place.address() != null) {
            environment.put(WorkerEnv.BIND_ADDR, place.address().getHostAddress());
        }
        if (place.hasRange()) {
            environment.put(WorkerEnv.PORT_RANGE, place.portRange());
        }
        if (replacesWorkers) {
            environment.put(WorkerEnv.REPLACES_WORKERS, "true");
        }
        environment.put(WorkerEnv.CHANNEL_DIR, layout.channelDirectory().toString());
        environment.put(WorkerEnv.ERROR_FILE, errorFile.toString());
        TorchEnvironment.add(environment, config, slot, gpus);
        checkpointDisk.ifPresent(disk -> environment.put(WorkerEnv.CHECKPOINT_DISK, disk.toString()));
        config.checkpoints().directory().ifPresent(directory -> {
            environment.put(
                    WorkerEnv.CHECKPOINT_DIR,
                    directory.toAbsolutePath().resolve(runId).toString());
            environment.put(
                    WorkerEnv.CHECKPOINT_EVERY,
                    Integer.toString(config.checkpoints().every()));
        });
        if (info != null) {
            environment.putAll(info.runtime());
            environment.put(WorkerEnv.RANK, Integer.toString(info.rank()));
            environment.put(WorkerEnv.WORLD_SIZE, Integer.toString(info.worldSize()));
            environment.put(WorkerEnv.ROLE_RANK, Integer.toString(info.roleRank()));
            environment.put(WorkerEnv.ROLE_WORLD_SIZE, Integer.toString(info.roleWorldSize()));
            environment.put(WorkerEnv.GROUP_RANK, Integer.toString(info.groupRank()));
            environment.put(WorkerEnv.GROUP_WORLD_SIZE, Integer.toString(info.groupWorldSize()));
            environment.put(WorkerEnv.MASTER_ADDR, info.masterAddr());
            environment.put(WorkerEnv.MASTER_PORT, Integer.toString(info.masterPort()));
            environment.put(WorkerEnv.ROUND, Long.toString(info.round()));
        }
        return environment;
    }
}
