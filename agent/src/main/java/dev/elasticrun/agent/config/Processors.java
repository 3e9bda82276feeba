/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What of this machine workers are counted by. */
public final class Processors {
    /** The GPUs that a process may use, by number or name, in its own order; set by users and by schedulers. */
    public static final String VISIBLE_GPUS = "CUDA_VISIBLE_DEVICES";

    private static final Pattern GPU = Pattern.compile("nvidia\\d+");

    private Processors() {}

    /**
     * Reads a number of workers: a number, or a word for what this machine has.
     *
     * @param expected what a text that is neither a number nor one of the words should have been
     * @throws IllegalArgumentException if it is neither, or the machine has none of what the word stands for
     */
    static int workers(String text, String expected) {
        return switch (text) {
            case "cpu" -> Runtime.getRuntime().availableProcessors();
            case "auto" -> gpus().isEmpty() ? Runtime.getRuntime().availableProcessors() : gpus().size();
            case "gpu" -> {
                if (gpus().isEmpty()) {
                    throw new IllegalArgumentException("a number, auto or cpu: no NVIDIA GPU can be used here");
                }
                yield gpus().size();
            }
            default -> SettingTexts.number(text, expected);
        };
    }

    /** The NVIDIA GPUs that this process may use, as CUDA_VISIBLE_DEVICES names them; empty if there are none. */
    public static List<String> gpus() {
        return gpus(System.getenv().get(VISIBLE_GPUS), Path.of("/dev"));
    }

    /**
     * The same of other places.
     *
     * @param visible what restricts them; null = nothing does
     * @param devices directory with a file for each
     */
    static List<String> gpus(@Nullable String visible, Path devices) {
        List<String> present = present(devices);
        if (visible == null || present.isEmpty()) {
            return present;
        }
        // As the driver reads it: what is behind an impossible one does not count.
        return Arrays.stream(visible.split(",", -1))
                .map(String::strip)
                .takeWhile(name -> !name.isEmpty() && !name.equals("-1") && !name.equals("NoDevFiles"))
                .toList();
    }

    private static List<String> present(Path devices) {
        try (Stream<Path> files = Files.list(devices)) {
            long count = files.filter(
                            file -> GPU.matcher(file.getFileName().toString()).matches())
                    .count();
            return LongStream.range(0, count).mapToObj(String::valueOf).toList();
        } catch (IOException none) {
            return List.of();
        }
    }
}
