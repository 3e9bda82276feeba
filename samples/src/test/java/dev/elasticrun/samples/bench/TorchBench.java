/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.Torch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The same script of PyTorch, line and kill under torchrun and here, by turns: two workers on one node, all restarted. */
final class TorchBench {
    private static final String BEGINS = "rank 0 of 2 begins at step ";
    private static final String CHECKPOINT = "checkpoint of step ";
    private static final String STEPS = "1000000";

    private TorchBench() {}

    /** Milliseconds until rank 0 has formed its process group: from the command, and from the kill of rank 1. */
    private record Measured(double launch, double recovery) {}

    static String run(Path directory, int times) throws IOException {
        Torch torch = Torch.find();
        Path script = directory.resolve("ddp.py");
        try (InputStream source = Objects.requireNonNull(TorchBench.class.getResourceAsStream("/ddp.py"))) {
            Files.write(script, source.readAllBytes());
        }
        List<String> python = List.of("python3", "-m", "torch.distributed.run");
        Map<String, List<String>> launchers = new LinkedHashMap<>();
        launchers.put("torchrun", python);
        launchers.put("torchrun `--monitor_interval 0.1`", plus(python, "--monitor_interval", "0.1"));
        launchers.put("elastic-run", List.of(Project.LAUNCHER.toString(), "--log-dir", directory.toString()));
        Map<String, List<Measured>> measured = new LinkedHashMap<>();
        for (int time = 0; time < times; time++) {
            for (Map.Entry<String, List<String>> launcher : launchers.entrySet()) {
                Path checkpoint = directory.resolve("ddp-" + time + ".pt");
                Files.deleteIfExists(checkpoint);
                measured.computeIfAbsent(launcher.getKey(), name -> new ArrayList<>())
                        .add(measure(launcher.getValue(), script, checkpoint, torch.environment()));
            }
        }
        List<String> lines = new ArrayList<>(List.of(
                "",
                "### A script for torchrun, two workers, " + times + " times by turns",
                "",
                "| ms, median (worst) | launch | a rank killed |",
                "|---|---|---|"));
        measured.forEach((name, all) -> lines.add("| " + name + " | "
                + text(all.stream().mapToDouble(Measured::launch).toArray()) + " | "
                + text(all.stream().mapToDouble(Measured::recovery).toArray()) + " |"));
        lines.add("");
        return String.join("\n", lines);
    }

    private static String text(double[] millis) {
        Arrays.sort(millis);
        return Math.round(millis[millis.length / 2]) + " (" + Math.round(millis[millis.length - 1]) + ")";
    }

    private static Measured measure(
            List<String> launcher, Path script, Path checkpoint, Map<String, String> environment) throws IOException {
        List<String> command = plus(
                launcher,
                "--standalone",
                "--nnodes=1",
                "--nproc_per_node=2",
                "--max_restarts=3",
                // On Python 3.11 torchrun 1.13 takes no other values of these, and not its own default either.
                "--redirects=1",
                "--tee=1",
                script.toString(),
                STEPS,
                checkpoint.toString());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        long start = System.nanoTime();
        Process process = builder.start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            long begun = await(output, BEGINS);
            await(output, CHECKPOINT);
            long killed = System.nanoTime();
            worker(process, script).destroyForcibly();
            long again = await(output, BEGINS);
            return new Measured((begun - start) / 1e6, (again - killed) / 1e6);
        } finally {
            List<ProcessHandle> all = process.descendants().toList();
            process.destroy();
            try {
                if (!process.waitFor(60, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** When a line with the text was read. */
    private static long await(BufferedReader output, String text) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains(text)) {
                return System.nanoTime();
            }
        }
        throw new IllegalStateException("the launcher ended without '" + text + "'");
    }

    /** The process of rank 1. */
    private static ProcessHandle worker(Process launcher, Path script) {
        return launcher.descendants()
                .filter(process -> has(process, "environ", "RANK=1") && has(process, "cmdline", script.toString()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean has(ProcessHandle process, String file, String entry) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), file));
            return List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\0"))
                    .contains(entry);
        } catch (IOException gone) {
            return false;
        }
    }

    private static List<String> plus(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return all;
    }
}
