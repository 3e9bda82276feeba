/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes the script of {@code elastic-run completion} from the commands' models. Labels describe what a value is: words in
 * small letters stand for themselves, FILE and PATH for files, DIR for directories.
 */
final class CompletionScript {
    private static final String HEAD = """
            # Completes the words of elastic-run in bash and zsh: eval "$(elastic-run completion bash)"
            if [ -n "${ZSH_VERSION:-}" ]; then
              autoload -U +X compinit && compinit
              autoload -U +X bashcompinit && bashcompinit
            fi

            # Runs that have an agent on this host; with --all also those that have ended.
            _elastic_run_runs() {
              "${COMP_WORDS[0]/#\\~/$HOME}" list "$@" 2>/dev/null | sed '1d;s/ .*//'
            }

            # What a flag of a command takes: f for a file, d for a directory, r for a live run, a for any run, words, - for anything;
            # empty: no value.
            _elastic_run_value() {
              case ${1//_/-} in
            """;
    private static final String MIDDLE = """
              esac
            }

            _elastic_run_flags() {
              case $1 in
            """;
    private static final String TAIL = """
              esac
            }

            _elastic_run_commands() {
              echo 'COMMANDS'
            }

            _elastic_run() {
              local IFS=$' \\t\\n' i=1 word='' cur='' prefix='' command='' flag='' state=start kind=''
              COMPREPLY=()
              while :; do
                word=${COMP_WORDS[$i]}
                # bash takes words apart at = and :
                while [ "$i" -lt "$COMP_CWORD" ]; do
                  case $word${COMP_WORDS[$((i + 1))]} in
                    "$word"[=:]* | *[=:]"${COMP_WORDS[$((i + 1))]}") i=$((i + 1)) word=$word${COMP_WORDS[$i]} ;;
                    *) break ;;
                  esac
                done
                [ "$i" -lt "$COMP_CWORD" ] || break
                if [ -n "$flag" ]; then
                  flag=''
                elif [ "$state" != program ]; then
                  case $word in
                    --) state=program ;;
                    -*=*) state=flags ;;
                    -*)
                      state=flags
                      [ -z "$(_elastic_run_value "$command $word")" ] || flag=$word
                      ;;
                    *)
                      case "$state $(_elastic_run_commands) " in
                        start*" $word "*) command=$word state=flags ;;
                        *) [ -n "$command" ] || state=program ;;
                      esac
                      ;;
                  esac
                fi
                i=$((i + 1))
              done
              cur=$word
              if [ -n "$flag" ]; then
                kind=$(_elastic_run_value "$command $flag")
              elif [ "$state" = program ]; then
                kind=f
              else
                case $word in
                  -*=*)
                    kind=$(_elastic_run_value "$command ${word%%=*}") cur=${word#*=}
                    case ${COMP_WORDS[$COMP_CWORD]} in -*=*) prefix=${word%%=*}= ;; esac
                    ;;
                  -*) kind=$(_elastic_run_flags "$command") ;;
                  *)
                    [ "$state" != start ] || COMPREPLY=($(compgen -W "$(_elastic_run_commands)" -- "$cur"))
                    [ -n "$command" ] || kind=f
                    ;;
                esac
              fi
              case $kind in
                '' | -) ;;
                f) IFS=$'\\n' COMPREPLY+=($(compgen -f -P "$prefix" -- "${cur/#\\~/$HOME}")) ;;
                d) IFS=$'\\n' COMPREPLY+=($(compgen -d -P "$prefix" -- "${cur/#\\~/$HOME}")) ;;
                r) COMPREPLY+=($(compgen -W "$(_elastic_run_runs)" -P "$prefix" -- "$cur")) ;;
                a) COMPREPLY+=($(compgen -W "$(_elastic_run_runs --all)" -P "$prefix" -- "$cur")) ;;
                *) COMPREPLY+=($(compgen -W "$kind" -P "$prefix" -- "$cur")) ;;
              esac
            }
            complete -o filenames -F _elastic_run elastic-run
            """;

    private CompletionScript() {}

    static String render() {
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        commands.put("", CommandModel.run());
        Commands.all()
                .forEach(command -> commands.put(command.name(), command.model().get()));
        Map<String, TreeSet<String>> byKind = new LinkedHashMap<>();
        StringBuilder flags = new StringBuilder();
        commands.forEach((name, command) -> {
            List<OptionSpec> options = command.getCommandSpec().options();
            options.stream().filter(option -> option.arity().min() > 0).forEach(option -> names(option)
                    .forEach(flag -> byKind.computeIfAbsent(kind(option, options), kind -> new TreeSet<>())
                            .add("'" + name + " " + flag + "'")));
            String all = options.stream()
                    .filter(option -> !option.hidden())
                    .flatMap(CompletionScript::names)
                    .sorted()
                    .collect(Collectors.joining(" "));
            flags.append("    '").append(name).append("') echo '").append(all).append("' ;;\n");
        });
        StringBuilder values = new StringBuilder();
        byKind.forEach((kind, of) -> values.append("    ")
                .append(String.join(" | ", of))
                .append(") echo '")
                .append(kind)
                .append("' ;;\n"));
        String names = String.join(" ", Commands.names());
        return HEAD + values + MIDDLE + flags + TAIL.replace("COMMANDS", names);
    }

    private static Stream<String> names(OptionSpec option) {
        return Arrays.stream(option.names()).filter(name -> !name.contains("_"));
    }

    /**
     * {@code f} for a file, {@code d} for a directory, {@code r} for a live run, {@code a} for any run, words, {@code -} for
     * anything.
     *
     * @param all options of the command: one that launches names a new run, and one that takes a log directory also finds
     *     those that have ended
     */
    static String kind(OptionSpec option, List<OptionSpec> all) {
        if (has(List.of(option), "--run-id") && !has(all, "--nnodes")) {
            return has(all, "--log-dir") ? "a" : "r";
        }
        String label = option.paramLabel();
        String words = Arrays.stream(label.split("[|,]"))
                .filter(word -> word.matches("[a-z-]+"))
                .collect(Collectors.joining(" "));
        return switch (label) {
            case "FILE", "PATH" -> "f";
            case "DIR" -> "d";
            default -> words.isEmpty() ? "-" : words;
        };
    }

    private static boolean has(List<OptionSpec> all, String name) {
        return all.stream().anyMatch(option -> List.of(option.names()).contains(name));
    }
}
