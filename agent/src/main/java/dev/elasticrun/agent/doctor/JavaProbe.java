/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a Java for its version, which shows as well that it starts here. */
final class JavaProbe {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MOST_OUTPUT = 1 << 16;
    private static final Pattern VERSION = Pattern.compile("version \"([^\"]+)\"");

    private JavaProbe() {}

    /**
     * What a Java answered.
     *
     * @param version empty = it printed none
     * @param trouble why not; else empty
     */
    record Answer(Path java, String version, String trouble) {}

    static Answer ask(Path java) {
        try {
            Process process = new ProcessBuilder(List.of(java.toString(), "-version"))
                    .redirectErrorStream(true)
                    .start();
            try (InputStream output = process.getInputStream()) {
                process.getOutputStream().close();
                if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    return new Answer(java, "", "it did not end within " + PATIENCE.toSeconds() + " s");
                }
                return answer(
                        java,
                        process.exitValue(),
                        new String(output.readNBytes(MOST_OUTPUT), StandardCharsets.UTF_8).trim());
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return new Answer(java, "", "it cannot be executed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(java, "", "the question was interrupted");
        }
    }

    static Answer answer(Path java, int exitCode, String output) {
        Matcher matcher = VERSION.matcher(output);
        if (exitCode == 0 && matcher.find()) {
            return new Answer(java, matcher.group(1), "");
        }
        String first = output.lines().findFirst().orElse("nothing");
        return new Answer(java, "", "it ended with exit code " + exitCode + " and printed: " + first);
    }
}
