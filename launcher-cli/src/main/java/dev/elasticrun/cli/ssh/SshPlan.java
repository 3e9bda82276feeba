/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.ssh;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.options.SubmittedLine;
import dev.elasticrun.scheduler.ShellWords;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What is executed on each host. Pure.
 *
 * @param launcher command of the launcher on the hosts
 * @param directory on the hosts, where agents start
 * @param runId used unless the line has one
 */
record SshPlan(List<SshHost> hosts, String launcher, String directory, SubmittedLine line, String runId) {
    /** That of torchrun's store, which users have opened in their firewalls. */
    private static final int STORE_PORT = 29400;

    /** Printed to standard error once ssh has reached the host. */
    static final String REACHED = "elastic-run-ssh: reached";

    /** Printed to standard error last, whatever the exit code is; not when the connection was lost before. */
    static final String ENDED = "elastic-run-ssh: ended";

    /**
     * Reads the key of the run, then names of signals for the agent, from standard input, whose end is that of the connection
     * and a TERM. Callers send no INT: a shell has what it starts in the background ignore it.
     */
    private static final String SCRIPT = """
            echo '%s' >&2
            trap "echo '%s' >&2" EXIT
            cd "$1" || exit 2
            shift
            umask 077
            IFS= read -r key || exit 2
            file=$(mktemp) || exit 2
            printf '%%s' "$key" > "$file"
            exec 3<&0 </dev/null
            ELASTICRUN_RUN_KEY_FILE=$file "$@" 3<&- &
            agent=$!
            {
              while IFS= read -r name <&3; do kill -s "$name" "$agent"; done
              kill -s TERM "$agent"
            } >/dev/null 2>&1 &
            signals=$!
            wait "$agent"
            code=$?
            kill "$signals" 2>/dev/null
            rm -f "$file"
            exit "$code"
            """.formatted(REACHED, ENDED);

    SshPlan {
        hosts = List.copyOf(hosts);
    }

    /** Fewest nodes that the run can work with. */
    int minNodes() {
        return isGiven(Settings.NNODES) ? line.nodes().min() : hosts.size();
    }

    /** Whether the line has it. */
    boolean isGiven(Setting<?> setting) {
        return line.flags().stream()
                .anyMatch(flag -> flag.equals(setting.option()) || flag.startsWith(setting.option() + "="));
    }

    /** The words of the launcher on a host. */
    List<String> words(int index) {
        List<String> words = new ArrayList<>(List.of(launcher));
        words.addAll(line.flags());
        if (!isGiven(Settings.NNODES)) {
            add(words, Settings.NNODES, hosts.size());
        }
        if (!isGiven(Settings.RUN_ID)) {
            add(words, Settings.RUN_ID, runId);
        }
        if (!isGiven(Settings.RDZV_ENDPOINT)) {
            if (!isGiven(Settings.RDZV_BACKEND)) {
                add(words, Settings.RDZV_BACKEND, "embedded");
            }
            add(words, Settings.RDZV_ENDPOINT, bracketed(hosts.get(0).name()) + ":" + STORE_PORT);
        }
        add(words, Settings.NODE_RANK, index);
        // Of two values the last one counts.
        hosts.get(index).slots().ifPresent(slots -> add(words, Settings.NPROC_PER_NODE, slots));
        words.add("--");
        words.addAll(line.command());
        return words;
    }

    private static String bracketed(String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    private static void add(List<String> words, Setting<?> setting, Object value) {
        words.add(setting.option() + "=" + value);
    }

    /** What ssh has the host's shell execute. */
    String remoteCommand(int index) {
        List<String> words = new ArrayList<>(List.of("sh", "-c", SCRIPT, "elastic-run-ssh", directory));
        words.addAll(words(index));
        return "exec " + words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }
}
