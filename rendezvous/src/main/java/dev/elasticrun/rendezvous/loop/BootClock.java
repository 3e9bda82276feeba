/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.loop;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares {@link System#nanoTime}, which stops while the machine is suspended, with the time since it was booted,
 * which does not. Where the kernel publishes no such time nothing is ever found. For one thread.
 */
final class BootClock {
    private static final Path UPTIME = Path.of("/proc/uptime");
    private static final int FIRST_READINGS = 3;

    private final SuspendedTime suspended = new SuspendedTime();
    private boolean isAbsent;

    BootClock() {
        // The first one finds classes and files, which takes a while: later ones must not look like a suspension.
        long bestNanos = Long.MAX_VALUE;
        for (int i = 0; i < FIRST_READINGS && !isAbsent; i++) {
            long beforeNanos = System.nanoTime();
            long uptimeNanos = uptimeNanos();
            long afterNanos = System.nanoTime();
            if (!isAbsent && afterNanos - beforeNanos < bestNanos) {
                bestNanos = afterNanos - beforeNanos;
                suspended.begin(uptimeNanos, afterNanos);
            }
        }
    }

    /** For how long the machine has been suspended since this clock was made. Reads a file that is not on a disk. */
    long suspendedNanos() {
        if (isAbsent) {
            return suspended.nanos();
        }
        long uptimeNanos = uptimeNanos();
        return isAbsent ? suspended.nanos() : suspended.read(uptimeNanos, System.nanoTime());
    }

    private long uptimeNanos() {
        try {
            String text = Files.readString(UPTIME, StandardCharsets.US_ASCII);
            return new BigDecimal(text.substring(0, text.indexOf(' ')))
                    .movePointRight(9)
                    .longValue();
        } catch (IOException | RuntimeException e) {
            isAbsent = true;
            return 0;
        }
    }
}
