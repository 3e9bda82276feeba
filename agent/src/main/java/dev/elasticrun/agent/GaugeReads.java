/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.worker.WorkerGauges;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.worker.contract.Daemons;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the workers of this node do, for the reporters of the loop: files are read in a thread of their own, so that
 * nothing blocks in the loop, and those who ask while they are read receive the same. Owned by the loop.
 */
final class GaugeReads {
    private static final Logger LOG = LoggerFactory.getLogger(GaugeReads.class);

    private final EventLoop loop;
    private final Supplier<Map<WorkerGauges.Key, WorkerStatus>> gauges;
    private final List<Consumer<Map<WorkerGauges.Key, WorkerStatus>>> waiting = new ArrayList<>();

    /** @param gauges of the workers; may block, and is asked elsewhere */
    GaugeReads(EventLoop loop, Supplier<Map<WorkerGauges.Key, WorkerStatus>> gauges) {
        this.loop = loop;
        this.gauges = gauges;
    }

    /** @param then is called in the loop; not at all where nothing can be read, which is logged */
    void read(Consumer<Map<WorkerGauges.Key, WorkerStatus>> then) {
        waiting.add(then);
        if (waiting.size() == 1) {
            Daemons.start("gauges", this::readFiles, this::failed);
        }
    }

    private void readFiles() {
        try {
            Map<WorkerGauges.Key, WorkerStatus> read = gauges.get();
            loop.execute(() -> done(read));
        } catch (RuntimeException e) {
            loop.execute(() -> failed(e.toString()));
        }
    }

    private void done(Map<WorkerGauges.Key, WorkerStatus> read) {
        List<Consumer<Map<WorkerGauges.Key, WorkerStatus>>> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(then -> then.accept(read));
    }

    private void failed(String reason) {
        waiting.clear();
        LOG.warn("cannot read what workers do: {}", reason);
    }
}
