/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processors that this process may use.
 *
 * @param cores threads of each core, cores of one NUMA node beside each other
 * @param nodes threads of each NUMA node; one with all of them where the system does not publish that
 */
public record Cpus(List<List<Integer>> cores, List<List<Integer>> nodes) {
    private static final String ALLOWED = "Cpus_allowed_list:";

    public Cpus {
        cores = cores.stream().map(List::copyOf).toList();
        nodes = nodes.stream().map(List::copyOf).toList();
    }

    public static Cpus read() throws IOException {
        return read(Path.of("/sys/devices/system"), Path.of("/proc/self/status"));
    }

    static Cpus read(Path system, Path status) throws IOException {
        Set<Integer> allowed;
        try (Stream<String> lines = Files.lines(status, StandardCharsets.ISO_8859_1)) {
            allowed = lines.filter(line -> line.startsWith(ALLOWED))
                    .map(line -> parse(line.substring(ALLOWED.length())))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no " + ALLOWED + " in " + status));
        }
        List<List<Integer>> nodes = nodes(system.resolve("node"), allowed);
        Set<List<Integer>> cores = new LinkedHashSet<>();
        for (List<Integer> node : nodes) {
            for (int cpu : node) {
                cores.add(core(system.resolve("cpu/cpu" + cpu + "/topology/thread_siblings_list"), cpu, allowed));
            }
        }
        return new Cpus(List.copyOf(cores), nodes);
    }

    /** Cores of one of several workers, none of which shares a core; there are at least as many cores as workers. */
    public List<Integer> ofCores(int worker, int workers) {
        return cores.subList(worker * cores.size() / workers, (worker + 1) * cores.size() / workers).stream()
                .flatMap(List::stream)
                .sorted()
                .toList();
    }

    /** The NUMA node of one of several workers, neighbours on the same one. */
    public List<Integer> ofNode(int worker, int workers) {
        return nodes.get(worker * nodes.size() / workers);
    }

    /** As {@code taskset} takes it. */
    static String text(List<Integer> cpus) {
        return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static List<Integer> core(Path siblings, int cpu, Set<Integer> allowed) throws IOException {
        Set<Integer> threads = Files.exists(siblings) ? parse(Files.readString(siblings)) : Set.of(cpu);
        return threads.stream().filter(allowed::contains).toList();
    }

    private static List<List<Integer>> nodes(Path directory, Set<Integer> allowed) throws IOException {
        List<List<Integer>> nodes = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> entries = Files.list(directory)) {
                for (Path node : entries.filter(
                                entry -> entry.getFileName().toString().matches("node\\d+"))
                        .sorted(Comparator.comparingInt(entry ->
                                Integer.parseInt(entry.getFileName().toString().substring("node".length()))))
                        .toList()) {
                    List<Integer> usable = parse(Files.readString(node.resolve("cpulist"))).stream()
                            .filter(allowed::contains)
                            .toList();
                    if (!usable.isEmpty()) {
                        nodes.add(usable);
                    }
                }
            }
        }
        return nodes.isEmpty() ? List.of(List.copyOf(allowed)) : nodes;
    }

    /** Numbers and ranges, as in "0-3,8". */
    private static Set<Integer> parse(String list) {
        Set<Integer> numbers = new TreeSet<>();
        for (String part : list.trim().split(",", -1)) {
            if (!part.isEmpty()) {
                String[] ends = part.split("-", 2);
                int last = Integer.parseInt(ends[ends.length - 1]);
                for (int number = Integer.parseInt(ends[0]); number <= last; number++) {
                    numbers.add(number);
                }
            }
        }
        return numbers;
    }
}
