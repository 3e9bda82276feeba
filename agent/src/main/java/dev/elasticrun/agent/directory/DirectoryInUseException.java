/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.directory;

import java.io.IOException;
import java.nio.file.Path;

/** Another agent uses the directory. That agent continues; the caller needs another directory. */
final class DirectoryInUseException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String directory;

    DirectoryInUseException(Path directory) {
        super(directory + " is in use");
        this.directory = directory.toString();
    }

    private DirectoryInUseException(DirectoryInUseException cause) {
        super(
                cause.getMessage() + " by " + DirectoryLock.holder(Path.of(cause.directory))
                        + " (expected: a directory that no other agent has)",
                cause);
        directory = cause.directory;
    }

    /** The same with the name of the process that holds the directory, which takes a while to find. */
    DirectoryInUseException named() {
        return new DirectoryInUseException(this);
    }
}
