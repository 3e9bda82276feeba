/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.SshHosts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** {@code elastic-run ssh}, and a second one for the host that was lost. */
final class SshEngine implements Engine {
    private static final String LAST = SshHosts.address(NODES - 1);
    private static final int KEY_BYTES = 32;

    private final EngineRun run;
    private final SshHosts hosts;
    /** The last of them has the last host. */
    private final List<AgentProcess> commands = new ArrayList<>();

    SshEngine(EngineRun run, SshHosts hosts) {
        this.run = run;
        this.hosts = hosts;
    }

    @Override
    public String title() {
        return "`elastic-run ssh`";
    }

    @Override
    public void start() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        try {
            Files.write(keyFile(), key);
            Files.setPosixFilePermissions(keyFile(), PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        startAgents(IntStream.range(0, NODES).mapToObj(SshHosts::address).toList());
    }

    /** Without it each command would make a key of its own, and there are two. */
    private Path keyFile() {
        return run.directory().resolve("run.key");
    }

    private void startAgents(List<String> addresses) {
        try {
            Path names = Files.write(run.directory().resolve("hosts"), addresses);
            List<String> options =
                    new ArrayList<>(List.of("ssh", "--hosts=" + names, "--launcher=" + Project.LAUNCHER));
            options.addAll(hosts.options());
            options.addAll(List.of("--run-id=" + run.id(), "--run-key-file=" + keyFile()));
            options.addAll(run.options());
            commands.add(AgentProcess.start(List.of(), run.directory(), hosts.environment(), options, run.program()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, Loss> losses() {
        Map<String, Loss> losses = new LinkedHashMap<>();
        losses.put("a connection is lost", new HostLoss(Notice.SHOWN) {
            @Override
            public void happen() {
                SshHosts.client(command(), LAST).destroyForcibly();
            }
        });
        losses.put("an agent gets KILL", new HostLoss(Notice.NONE) {
            @Override
            public void happen() {
                // Of SSH_CONNECTION.
                run.agent(" " + LAST + " ").destroyForcibly();
            }
        });
        return losses;
    }

    private AgentProcess command() {
        return commands.get(commands.size() - 1);
    }

    @Override
    public String state() {
        return commands.stream().map(AgentProcess::console).collect(Collectors.joining("\n")) + hosts.logs();
    }

    @Override
    public void close() {
        commands.forEach(AgentProcess::close);
    }

    private abstract class HostLoss implements Loss {
        private final Notice notice;

        HostLoss(Notice notice) {
            this.notice = notice;
        }

        @Override
        public Notice notice() {
            return notice;
        }

        @Override
        public boolean isShown() {
            return command().output().contains("the connection to " + LAST + " was lost");
        }

        @Override
        public long bringBack() {
            long started = System.nanoTime();
            startAgents(List.of(LAST));
            return started;
        }
    }
}
