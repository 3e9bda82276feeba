/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out whether a stream of this process is a terminal. */
public final class Terminal {
    public static final int INPUT = 0;
    public static final int OUTPUT = 1;
    public static final int ERROR = 2;

    private Terminal() {}

    /** @param descriptor of the stream */
    public static boolean is(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException unknown) {
            return false;
        }
    }
}
