/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A configuration as YAML, which {@link ConfigFile} reads again, with the source of each value in a comment. Pure. */
final class ConfigView {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/.][A-Za-z0-9/._:,=+@-]*(?<!:)");
    private static final Set<String> NO_VALUES = Set.of("null", "Null", "NULL");
    private static final Pattern SECRET = Pattern.compile("SECRET|TOKEN|PASS|CREDENTIAL|KEY|AUTH");
    private static final int MOST_BEFORE_COMMENT = 44;

    private final List<Line> lines = new ArrayList<>();
    private boolean isSecretLeftOut;

    private ConfigView() {}

    private record Line(String text, String comment) {

        /** @param column where comments begin that come after a text, if it is not too long */
        String text(int column) {
            if (comment.isEmpty()) {
                return text;
            }
            String gap = text.isEmpty() ? "" : " ".repeat(Math.max(0, column - text.length()) + 2);
            return text + gap + "# " + printable(comment);
        }
    }

    static String render(LaunchConfig config, GivenValues given) {
        ConfigView view = new ConfigView();
        view.program(config, given);
        for (Settings.Group group : Settings.GROUPS) {
            view.lines.add(new Line("", ""));
            view.lines.add(new Line("", group.title()));
            group.settings().forEach(setting -> view.setting(setting, config, given));
        }
        if (!given.noEffect().isEmpty()) {
            view.lines.add(new Line("", ""));
            given.noEffect().forEach(remark -> view.lines.add(new Line("", remark)));
        }
        return view.text();
    }

    private void program(LaunchConfig config, GivenValues given) {
        if (given.command().isEmpty()) {
            lines.add(new Line("", ConfigKeys.PROGRAM + ": not given"));
            return;
        }
        String origin = given.command().get().origin();
        lines.add(new Line(ConfigKeys.PROGRAM + ": " + scalar(config.program()), origin));
        if (!config.arguments().isEmpty()) {
            lines.add(new Line(ConfigKeys.ARGUMENTS + ":", origin));
            config.arguments().forEach(argument -> lines.add(new Line("  - " + scalar(argument), "")));
        }
    }

    private void setting(Setting<?> setting, LaunchConfig config, GivenValues given) {
        // Without a program nothing is known of a default that depends on it.
        List<String> texts = given.command().isEmpty() ? config.values().texts(setting) : config.texts(setting);
        String origin = origin(setting, config, given);
        String name = setting.name();
        if (!setting.kind().takesValue()) {
            lines.add(new Line(name + ": " + !texts.isEmpty(), origin));
        } else if (texts.isEmpty()) {
            lines.add(new Line("", name + ": not set"));
        } else if (setting.kind().takesAssignments()) {
            assignments(name, texts, origin);
        } else {
            lines.add(new Line(name + ": " + scalar(texts.get(0)), origin));
        }
    }

    private static String origin(Setting<?> setting, LaunchConfig config, GivenValues given) {
        boolean dependsOnProgram =
                setting.equals(Settings.RESTART_POLICY) && config.policy().isDefault();
        return given.origin(setting)
                + (dependsOnProgram ? ": " + config.policy().reason() : "");
    }

    private void assignments(String setting, List<String> texts, String origin) {
        List<Line> shown = new ArrayList<>();
        List<Line> leftOut = new ArrayList<>();
        for (String text : texts) {
            String name = text.substring(0, text.indexOf('='));
            if (SECRET.matcher(name.toUpperCase(Locale.ROOT)).find()) {
                leftOut.add(new Line("", "  - " + name + "=...: not shown, the name is that of a secret"));
            } else {
                shown.add(new Line("  - " + scalar(text), ""));
            }
        }
        isSecretLeftOut |= !leftOut.isEmpty();
        lines.add(shown.isEmpty() ? new Line("", setting + ": " + origin) : new Line(setting + ":", origin));
        lines.addAll(shown);
        lines.addAll(leftOut);
    }

    private String text() {
        int column = lines.stream()
                .filter(line -> !line.comment().isEmpty())
                .mapToInt(line -> line.text().length())
                .filter(length -> length <= MOST_BEFORE_COMMENT)
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder("# Each value and where it is from: a flag, else a variable, else the"
                + " file, else the engine, else the default.\n# This is a file for --config"
                + (isSecretLeftOut ? ", but for the secrets that are not shown.\n" : ".\n"));
        lines.forEach(line -> text.append(line.text(column)).append('\n'));
        return text.toString();
    }

    /** As it is where YAML takes it for a text or a number, else in double quotes. */
    private static String scalar(String text) {
        return PLAIN.matcher(text).matches() && !NO_VALUES.contains(text)
                ? text
                : '"' + printable(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    /** With escapes for what a terminal, a locale or a parser may change. */
    private static String printable(String text) {
        return text.codePoints()
                .mapToObj(c -> c >= ' ' && c <= '~'
                        ? Character.toString(c)
                        : String.format(Locale.ROOT, c > 0xFFFF ? "\\U%08X" : "\\u%04X", c))
                .collect(Collectors.joining());
    }
}
