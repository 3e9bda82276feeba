/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The command that starts an agent's guard.
 *
 * @param setsid the program of that name
 * @param mark what {@link SpawnMark} marks of this agent's workers begin with
 * @param directories what the guard removes after an agent that was killed
 */
record GuardCommand(Path setsid, String mark, List<Path> directories) {

    // Signals to the agent's terminal or group must not end the guard before the agent. kill takes "-s NAME --" since
    // dash reads "-NAME -- -id" as a number. A process that left its group is found by its mark, and so is one that
    // was started a moment ago, which shows its mark only once it runs the worker's program: in that case it is looked
    // for more than once. To read the environment of a process that hangs in the kernel can hang, too: directories wait
    // for the search 2 s at most. Not every grep knows lines that end with a NUL. A directory is removed only if it
    // looks like one of ours.
    private static final String SCRIPT = """
            trap '' HUP INT QUIT TERM PIPE
            mark=$ELASTIC_GUARD_MARK
            directories=$ELASTIC_GUARD_DIRECTORIES
            groups=' '
            spawning=
            marked() {
                if printf 'a\\000b' | grep -qz '^b' 2>/dev/null; then
                    grep -lsz -- "^ELASTIC_SPAWN_MARK=$mark" /proc/[0-9]*/environ
                    return
                fi
                for file in /proc/[0-9]*/environ; do
                    if tr '\\000' '\\n' <"$file" | grep -q -- "^ELASTIC_SPAWN_MARK=$mark"; then
                        echo "$file"
                    fi
                done 2>/dev/null
            }
            strays() {
                for try in 1 2 3 4 5 6 7 8 9 10; do
                    files=$(marked)
                    if [ -z "$files$spawning" ]; then break; fi
                    for file in $files; do
                        id=${file#/proc/}
                        kill -s KILL "${id%/environ}" 2>/dev/null
                    done
                    sleep 0.02
                done
            }
            while read -r order id; do
                case $order in
                +) groups="$groups$id "; spawning= ;;
                -) case $groups in *" $id "*) groups="${groups%%" $id "*} ${groups#*" $id "}" ;; esac ;;
                '!') spawning=$id ;;
                '?') if kill -s 0 -- "-$id" 2>/dev/null; then echo "alive $id"; else echo "gone $id"; fi ;;
                quit) exit 0 ;;
                *) kill -s "$order" -- "-$id" 2>/dev/null ;;
                esac
            done
            for id in $groups; do kill -s KILL -- "-$id" 2>/dev/null; done
            strays &
            search=$!
            tries=0
            while [ $tries -lt 100 ]; do
                read -r state <"/proc/$search/stat" || break
                case $state in *') Z '*) break ;; esac
                tries=$((tries + 1))
                sleep 0.02
            done
            set -f
            IFS='
            '
            for directory in $directories; do
                case $directory in
                */../*|*/..|*/./*|*/.) continue ;;
                /*/elastic-run-[0-9]*/?*/?*) ;;
                *) continue ;;
                esac
                if [ -L "$directory" ] || ! [ -f "$directory/lock" ]; then continue; fi
                for try in 1 2 3 4 5 6 7 8 9 10; do
                    rm -rf -- "$directory" 2>/dev/null
                    if ! [ -e "$directory" ]; then break; fi
                    sleep 0.02
                done
                incarnation=${directory%/*}
                rmdir -- "$incarnation" "${incarnation%/*}" 2>/dev/null
            done
            """;

    GuardCommand {
        directories = List.copyOf(directories);
    }

    ProcessBuilder builder() {
        List<String> command = List.of(setsid.toString(), "sh", "-c", SCRIPT, "elastic-run-guard");
        ProcessBuilder builder = new ProcessBuilder(command);
        String path = builder.environment().getOrDefault("PATH", "/usr/bin:/bin");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        // Not as arguments: those every user of the host can read.
        builder.environment().put("ELASTIC_GUARD_MARK", mark);
        builder.environment()
                .put(
                        "ELASTIC_GUARD_DIRECTORIES",
                        directories.stream().map(Path::toString).collect(Collectors.joining("\n")));
        builder.directory(Path.of("/").toFile());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        return builder;
    }
}
