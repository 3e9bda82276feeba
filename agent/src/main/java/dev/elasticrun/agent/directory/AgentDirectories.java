/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.CheckpointFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What an agent has in files for as long as it lives. Both are locked, and removed by the guard if the agent cannot.
 *
 * @param run channels of its workers, in memory where that is possible
 * @param temporaries of its workers, on a disk
 */
public record AgentDirectories(RunDirectory run, WorkerTemporaries temporaries) implements Closeable {

    public static AgentDirectories create(String incarnation, String nodeId, int slots) throws IOException {
        RunDirectory run = RunDirectory.create(incarnation, nodeId, slots);
        try {
            return new AgentDirectories(run, WorkerTemporaries.create(run, incarnation, nodeId));
        } catch (IOException e) {
            try (run) {
                throw e;
            }
        }
    }

    /** User-readable reasons why the directories are not in their usual place; empty when they are. */
    public List<String> notices() {
        List<String> notices = new ArrayList<>(run.notices());
        notices.addAll(temporaries.notices());
        return notices;
    }

    /** The checkpoint files of this node. */
    public CheckpointFiles checkpoints() {
        List<Path> places = new ArrayList<>();
        places.add(ChannelLayout.of(run.path(), 0, 0).checkpoints());
        temporaries.checkpoints().ifPresent(places::add);
        return new CheckpointFiles(places);
    }

    /** All that is to be removed in the end. */
    public List<Path> paths() {
        List<Path> paths = new ArrayList<>(List.of(run.path()));
        paths.addAll(temporaries.outsideTheRunDirectory());
        return paths;
    }

    /** Removes what a worker had whose processes are gone, in the background. */
    public void discard(int slot, int attempt) {
        temporaries.discard(slot, attempt);
        run.discardLater(slot, attempt);
    }

    /** Removes all; the workers must be gone. */
    @Override
    public void close() throws IOException {
        try (run) {
            temporaries.close();
        }
    }
}
