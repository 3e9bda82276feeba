/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The thread that does the input and output of XGBoost's communicator, of which there is one as long as the communicator
 * can do anything. XGBoost names it after the thread that made it and adds {@code >lw}.
 */
final class EventLoopThread {
    private static final String SUFFIX = ">lw";

    private EventLoopThread() {}

    /** Reads a small file for each thread of the process. */
    static boolean isIn(long pid) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                if (name(thread).endsWith(SUFFIX)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException gone) {
            return false;
        }
    }

    private static String name(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (IOException ended) {
            return "";
        }
    }
}
