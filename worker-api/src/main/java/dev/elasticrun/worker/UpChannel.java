/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Messages to the agent, numbered from 1; a file has its name only when it is whole. Any thread may send. */
final class UpChannel {
    private final Path directory;
    private long seq;

    UpChannel(ChannelLayout layout) {
        this.directory = layout.up();
    }

    /** Does not throw: a worker whose agent cannot be told is ended by the agent, or with it. */
    synchronized void send(UpMessage message) {
        seq++;
        Path temporary = directory.resolve(seq + ".tmp");
        try {
            Files.write(temporary, MessageCodec.encode(message));
            Files.move(temporary, directory.resolve(seq + ".json"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            System.getLogger(UpChannel.class.getName())
                    .log(
                            Level.WARNING,
                            "cannot tell the agent " + message.getClass().getSimpleName() + ": " + e);
        }
    }
}
