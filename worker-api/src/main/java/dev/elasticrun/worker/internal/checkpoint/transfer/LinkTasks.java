/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that use one direction of one link each, run at once: the first on the user's thread, each other one on a thread
 * {@code peer-transfer}. The first that fails closes the mesh.
 */
final class LinkTasks {
    private final PeerMesh mesh;
    private final List<Task> tasks = new ArrayList<>();
    // Guarded by this.
    private @Nullable Throwable failure;

    interface Task {
        void run() throws BrokenLinkException;
    }

    LinkTasks(PeerMesh mesh) {
        this.mesh = mesh;
    }

    void add(Task task) {
        tasks.add(task);
    }

    /** Returns when all are done; throws what the first one that failed has thrown. */
    void run() throws BrokenLinkException {
        List<Thread> helpers = new ArrayList<>();
        for (Task task : tasks.subList(Math.min(1, tasks.size()), tasks.size())) {
            helpers.add(Daemons.start("peer-transfer", () -> run(task)));
        }
        try {
            if (!tasks.isEmpty()) {
                run(tasks.get(0));
            }
        } finally {
            helpers.forEach(this::join);
        }
        Throwable broken = failure();
        if (broken instanceof BrokenLinkException link) {
            throw link;
        } else if (broken instanceof RuntimeException wrong) {
            throw wrong;
        } else if (broken instanceof Error wrong) {
            throw wrong;
        }
    }

    // A failed task ends all: the round is over. Peers are notified of the lost rank before they miss this one.
    private void run(Task task) {
        try {
            task.run();
        } catch (BrokenLinkException e) {
            if (isFirst(e) && !mesh.isClosed()) {
                mesh.reportLost(e.rank());
            }
            mesh.close();
        } catch (RuntimeException | Error e) {
            isFirst(e);
            mesh.close();
        }
    }

    private synchronized boolean isFirst(Throwable broken) {
        boolean isFirst = failure == null;
        if (isFirst) {
            failure = broken;
        }
        return isFirst;
    }

    private synchronized @Nullable Throwable failure() {
        return failure;
    }

    private void join(Thread helper) {
        boolean isInterrupted = false;
        while (helper.isAlive()) {
            try {
                helper.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
                mesh.close();
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
