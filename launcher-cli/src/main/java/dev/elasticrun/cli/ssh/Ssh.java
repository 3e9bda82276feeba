/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.ssh;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.options.SubmittedLine;
import dev.elasticrun.cli.options.UsageException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Starts the agents of a launch line on the hosts of a file.
 *
 * @param launcher command of the launcher on the hosts
 * @param directory on the hosts, where agents start
 * @param options of OpenSSH's client besides those of this class
 */
public record Ssh(String launcher, Path directory, List<String> options) {
    /** In a session of its own, since a terminal sends a signal to all processes of one. Asks for no password. */
    private static final List<String> CLIENT = List.of(
            "setsid", "ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15");

    private static final int KEY_BYTES = 32;
    private static final int NAME_BYTES = 3;

    public Ssh {
        options = List.copyOf(options);
    }

    /**
     * Runs a line until all agents have ended. Called once in a process: it handles the process's signals.
     *
     * @param flag by which the file was given
     * @return what the process is to exit with
     * @throws UsageException naming what is wrong; nothing was started
     */
    public int run(String flag, Path file, SubmittedLine line, PrintStream out, PrintStream err) {
        SecureRandom random = new SecureRandom();
        SshPlan plan = new SshPlan(
                SshHost.read(flag, file), launcher, directory.toString(), line, "ssh-" + hex(random, NAME_BYTES));
        check(plan);
        List<String> client = new ArrayList<>(CLIENT);
        client.addAll(options);
        return new SshRun(plan, client, hex(random, KEY_BYTES), out, err).run();
    }

    private static void check(SshPlan plan) {
        int hosts = plan.hosts().size();
        if (plan.minNodes() > hosts) {
            throw UsageException.of(
                    Settings.NNODES.option(),
                    Integer.toString(plan.minNodes()),
                    "at most " + hosts + ", the number of hosts");
        }
        refuse(plan, Settings.NODE_RANK, "none: each host has its own");
        if (hosts > 1) {
            refuse(plan, Settings.STANDALONE, "one host");
        }
    }

    private static void refuse(SshPlan plan, Setting<?> setting, String expected) {
        if (plan.isGiven(setting)) {
            throw UsageException.of(setting.option(), "given", expected);
        }
    }

    private static String hex(SecureRandom random, int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }
}
