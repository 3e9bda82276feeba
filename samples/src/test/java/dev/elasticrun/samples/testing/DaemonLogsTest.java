/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonLogsTest {
    @TempDir
    private Path directory;

    @Test
    void logs_areInTheOrderOfTheirPaths_andOthersLeftOut() throws IOException {
        file("b/driver.log", "second");
        file("a/driver.log", "first");
        file("a/driver.txt", "other");
        file("a/b/c/driver.log", "too deep");

        assertThat(DaemonLogs.below(directory, 3, file -> file.toString().endsWith("log")))
                .isEqualTo("---- a/driver.log\nfirst\n---- b/driver.log\nsecond");
    }

    @Test
    void directoriesThatAreDeletedMeanwhile_haveNoTexts() throws IOException {
        for (String name : List.of("a", "b", "c")) {
            file(name + "/driver.log", name);
        }
        List<Path> seen = new ArrayList<>();

        String logs = DaemonLogs.below(directory, 2, file -> {
            seen.add(file);
            for (String name : List.of("a", "b", "c")) {
                if (!file.startsWith(directory.resolve(name))) {
                    Project.delete(directory.resolve(name));
                }
            }
            return true;
        });

        assertThat(seen).hasSize(1);
        String name = directory.relativize(seen.get(0)).getName(0).toString();
        assertThat(logs).isEqualTo("---- " + name + "/driver.log\n" + name);
    }

    private void file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
