/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.driver;

import dev.elasticrun.tune.store.StudyCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The process of a driver, as its key names it: a driver after it that finds it dead need not wait for its lease.
 *
 * @param space the start of the machine and the space of process ids in which the id means something; empty = not known
 */
record DriverProcess(String space, long pid) {
    private static final String SPACE = "space";
    private static final String PID = "pid";

    static DriverProcess own() {
        return new DriverProcess(ownSpace(), ProcessHandle.current().pid());
    }

    private static String ownSpace() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip() + " "
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException e) {
            return "";
        }
    }

    byte[] bytes() {
        return StudyCodec.object(Map.of(SPACE, space, PID, pid));
    }

    /** Empty if it is not known. */
    static Optional<DriverProcess> of(byte[] value) {
        Map<String, Object> members = StudyCodec.object(value);
        return members.get(SPACE) instanceof String space && members.get(PID) instanceof Number pid
                ? Optional.of(new DriverProcess(space, pid.longValue()))
                : Optional.empty();
    }

    /** Whether this process can know that it has ended. */
    boolean isDead() {
        return !space.isEmpty()
                && space.equals(ownSpace())
                && ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty();
    }
}
