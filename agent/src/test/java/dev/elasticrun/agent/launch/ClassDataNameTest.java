/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassDataNameTest {
    @TempDir
    private Path directory;

    private Path jar;

    @BeforeEach
    void jar() throws IOException {
        jar = Files.writeString(directory.resolve("app.jar"), "content");
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000));
    }

    private String name(String... javaOpts) throws IOException {
        return ClassDataName.of(
                LaunchConfig.builder(jar.toString()).javaOpts(List.of(javaOpts)).unchecked());
    }

    @Test
    void sameJarAndOptions_haveTheSameName() throws IOException {
        assertThat(name("-Xmx1g")).isEqualTo(name("-Xmx1g")).matches("[0-9a-f]{64}");
    }

    @Test
    void otherTimeSizeOrOptions_haveAnotherName() throws IOException {
        String before = name();
        assertThat(name("-Xmx1g")).isNotEqualTo(before);
        Files.setLastModifiedTime(jar, FileTime.fromMillis(2_000_000));
        String later = name();
        Files.writeString(jar, "contents");
        Files.setLastModifiedTime(jar, FileTime.fromMillis(2_000_000));

        assertThat(List.of(before, later, name())).doesNotHaveDuplicates();
    }

    @Test
    void jarIsNotThere_fails() throws IOException {
        Files.delete(jar);

        assertThatThrownBy(this::name).isInstanceOf(NoSuchFileException.class);
    }
}
