/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Short commands whose exit code is all that counts. */
final class ShortCommand {
    private static final Logger LOG = LoggerFactory.getLogger(ShortCommand.class);

    private ShortCommand() {}

    /** Runs a command without input and output. Returns whether it ends with 0 within a second; blocks until then. */
    static boolean succeeds(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor(1, TimeUnit.SECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
        } catch (IOException e) {
            LOG.debug("cannot run {}: {}", command, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}
