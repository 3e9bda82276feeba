/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResourceLimitsTest {
    @TempDir
    Path directory;

    private void write(String file, String text) throws IOException {
        Path path = directory.resolve("mounts").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private ResourceLimits limits(String groups) throws IOException {
        Path file = Files.writeString(directory.resolve("cgroup"), groups);
        return ResourceLimits.of(file, directory.resolve("mounts"));
    }

    @Test
    void secondVersion_hasTheLeastOfAllGroupsAbove() throws IOException {
        write("a/memory.max", "1000");
        write("a/b/memory.max", "2000");
        write("a/b/cpu.max", "150000 100000");
        write("a/cpu.max", "max 100000");
        write("a/b/pids.max", "77");

        assertThat(limits("0::/a/b\n"))
                .isEqualTo(new ResourceLimits(OptionalLong.of(1000), OptionalDouble.of(1.5), OptionalLong.of(77)));
    }

    @Test
    void firstVersion_hasADirectoryForEachController() throws IOException {
        write("memory/c/memory.limit_in_bytes", "4096");
        write("cpu/c/cpu.cfs_quota_us", "50000");
        write("cpu/c/cpu.cfs_period_us", "100000");
        write("pids/pids.max", "12");

        assertThat(limits("5:memory:/c\n4:cpu,cpuacct:/c\n3:pids:/elsewhere\n"))
                .isEqualTo(new ResourceLimits(OptionalLong.of(4096), OptionalDouble.of(0.5), OptionalLong.of(12)));
    }

    @Test
    void noLimits_areEmpty() throws IOException {
        write("memory/c/memory.limit_in_bytes", "9223372036854771712");
        write("cpu/c/cpu.cfs_quota_us", "-1");
        write("cpu/c/cpu.cfs_period_us", "100000");
        write("pids/c/pids.max", "max");

        assertThat(limits("5:memory:/c\n4:cpu:/c\n3:pids:/c\n"))
                .isEqualTo(new ResourceLimits(OptionalLong.empty(), OptionalDouble.empty(), OptionalLong.empty()));
        assertThat(limits("")).isEqualTo(limits("no line of a group\n"));
    }

    @Test
    void thisProcess_canBeAsked() {
        assertThat(ResourceLimits.ofThisProcess().memory().orElse(1)).isPositive();
    }
}
