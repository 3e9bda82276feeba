/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.directory.SmallFile;
import dev.elasticrun.agent.process.JvmCounters;
import dev.elasticrun.agent.process.ProcFile;
import dev.elasticrun.proto.WorkerStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The resources that the process of a worker uses, from files of the kernel and of its JVM.
 *
 * @param cpuMillis so far; empty = not known
 * @param collectionMillis time of garbage collections so far; empty = not known, or no JVM
 */
record ProcessUse(long memoryBytes, OptionalLong cpuMillis, OptionalLong collectionMillis) {
    static final ProcessUse UNKNOWN = new ProcessUse(0, OptionalLong.empty(), OptionalLong.empty());

    /**
     * Where the files are.
     *
     * @param proc of the kernel
     * @param jvms where JVMs of this user have their counters, each by its process id
     */
    record Places(Path proc, Path jvms) {
        static Places standard() {
            return new Places(Path.of("/proc"), Path.of("/tmp/hsperfdata_" + System.getProperty("user.name")));
        }
    }

    static ProcessUse read(Places places, long pid) {
        return new ProcessUse(
                ProcFile.residentBytes(places.proc(), pid),
                ProcFile.cpuMillis(places.proc(), pid),
                collections(places.jvms().resolve(Long.toString(pid))));
    }

    private static OptionalLong collections(Path file) {
        try {
            return JvmCounters.collectionMillis(SmallFile.read(file, JvmCounters.MAX_SIZE));
        } catch (IOException none) {
            // No JVM, or one that keeps no counters.
            return OptionalLong.empty();
        }
    }

    void fill(WorkerStatus.Builder status) {
        status.setMemoryBytes(memoryBytes);
        cpuMillis.ifPresent(status::setCpuMillis);
        collectionMillis.ifPresent(status::setCollectionMillis);
    }
}
