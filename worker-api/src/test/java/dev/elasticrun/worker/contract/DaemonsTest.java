/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DaemonsTest {
    @Test
    void start_runsOnADaemonOfTheName() {
        CompletableFuture<String> ran = new CompletableFuture<>();

        Daemons.start(
                "some-name",
                () -> ran.complete(Thread.currentThread().getName()
                        + Thread.currentThread().isDaemon()),
                why -> ran.complete("none: " + why));

        assertThat(ran.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo("some-nametrue");
    }

    @Test
    void start_noThreadCanBeMade_reportsAndGoesOn(@TempDir Path directory) throws IOException, InterruptedException {
        Path output = directory.resolve("output");

        // A limit of memory that leaves no room for the stacks of so many threads, in any user's hands.
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -v 4000000; exec \"$@\"",
                        "sh",
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx32m",
                        "-Xss256m",
                        "-XX:+UseSerialGC",
                        "-XX:ReservedCodeCacheSize=32m",
                        "-XX:CompressedClassSpaceSize=32m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Threads.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(process.waitFor()).as(Files.readString(output)).isZero();
        assertThat(Files.readString(output)).contains("no thread: unable to create native thread");
    }

    /** Makes threads until there is no room for one more. */
    static final class Threads {
        private Threads() {}

        public static void main(String[] args) {
            CountDownLatch end = new CountDownLatch(1);
            List<String> reasons = new ArrayList<>();
            for (int i = 0; i < 1000 && reasons.isEmpty(); i++) {
                Daemons.start("some", () -> await(end), reasons::add);
            }
            System.out.println("no thread: " + reasons.get(0));
        }

        private static void await(CountDownLatch end) {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
