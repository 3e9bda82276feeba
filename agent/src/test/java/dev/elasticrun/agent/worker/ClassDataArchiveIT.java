/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.process.GroupProcessLauncher;
import dev.elasticrun.rendezvous.loop.SteppedLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With real processes, and a {@code java} that never ends. */
@Tag("once")
@Timeout(60)
final class ClassDataArchiveIT {
    @TempDir
    private Path directory;

    @Test
    void close_whileAnArchiveIsMade_hasEndedItsProcess() throws Exception {
        Path started = directory.resolve("started");
        Path java =
                Files.writeString(directory.resolve("java"), "#!/bin/sh\necho $$ > " + started + "\nexec sleep 1000\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        Path archives = Files.createDirectory(directory.resolve("archives"));
        Files.writeString(archives.resolve("classes.lst"), "java/lang/Object id: 0\n");
        SteppedLoop loop = new SteppedLoop();
        try (GroupProcessLauncher launcher =
                GroupProcessLauncher.create(List.of(directory.resolve("none")), pid -> {})) {
            ClassDataArchive archive =
                    new ClassDataArchive(context(java), loop, Optional.of(archives), launcher, event -> {});
            archive.working();
            loop.pass(Duration.ofMinutes(1));
            await().until(() -> Files.exists(started) && Files.size(started) > 0);
            long pid = Long.parseLong(Files.readString(started, US_ASCII).trim());

            archive.close();

            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        }
    }

    private AgentContext context(Path java) throws IOException {
        return AgentContext.of(
                LaunchConfig.builder(program().toString())
                        .standalone(true)
                        .java(java)
                        .restartPolicy("hard")
                        .logDir(directory)
                        .console(false)
                        .build(),
                System.nanoTime());
    }

    private Path program() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Program");
        Path jar = directory.resolve("program.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }
}
