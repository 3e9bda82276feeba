/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.manual;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The manual page of one command in roff, from the model that its help page is from. Pure. */
final class ManualPage {
    static final String SECTION = "1";

    private final CommandSpec spec;
    private final UsageMessageSpec usage;

    private ManualPage(CommandLine command) {
        spec = command.getCommandSpec();
        usage = spec.usageMessage();
    }

    /** What {@code man} takes, such as {@code elastic-run-status}. */
    static String name(CommandLine command) {
        return command.getCommandSpec().name().replace(' ', '-');
    }

    /**
     * @param version of the program
     * @param seeAlso names of other pages
     */
    static String render(CommandLine command, String version, List<String> seeAlso) {
        ManualPage page = new ManualPage(command);
        String name = name(command);
        return ".TH "
                + String.join(
                        " ",
                        quoted(name.toUpperCase(Locale.ROOT)),
                        SECTION,
                        quoted(""),
                        quoted("elastic-run " + version),
                        quoted("User Commands"))
                + "\n.SH NAME\n"
                + text(name + " - " + page.summary())
                + "\n.SH SYNOPSIS\n"
                + verbatim(Arrays.stream(page.usage.customSynopsis()).map(String::strip))
                + ".SH DESCRIPTION\n"
                + page.description()
                + page.options()
                + page.footer()
                + ".SH SEE ALSO\n"
                + seeAlso.stream()
                        .map(other -> ".BR " + text(other) + " (" + SECTION + ")")
                        .collect(Collectors.joining(" ,\n"))
                + "\n";
    }

    /** What the command does, in one line. */
    private String summary() {
        if (usage.header().length > 0) {
            return usage.header()[0].split(" - ", 2)[1];
        }
        String sentence = plain(String.join(" ", usage.description())).split("[.:](\\s|$)", 2)[0];
        return sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1);
    }

    private String description() {
        return Arrays.stream(usage.description())
                .map(line -> plain(line).strip())
                .map(line -> line.isEmpty() ? ".PP\n" : text(line) + "\n")
                .collect(Collectors.joining());
    }

    private String options() {
        StringBuilder text = new StringBuilder(".SH OPTIONS\n");
        spec.positionalParameters().forEach(argument -> text.append(entry(label(argument), argument)));
        spec.options().stream()
                .filter(option -> !option.hidden() && option.group() == null)
                .forEach(option -> text.append(entry(label(option), option)));
        for (ArgGroupSpec group : spec.argGroups()) {
            String heading = plain(group.heading()).strip().replaceFirst(":$", "");
            text.append(".SS ").append(text(heading)).append('\n');
            group.options().forEach(option -> text.append(entry(label(option), option)));
        }
        return text.toString();
    }

    private static String entry(String label, ArgSpec argument) {
        return ".TP\n" + label + "\n" + text(plain(String.join(" ", argument.description()))) + "\n";
    }

    private static String label(PositionalParamSpec argument) {
        return "\\fI" + text(argument.paramLabel()) + "\\fR";
    }

    private static String label(OptionSpec option) {
        String names = Arrays.stream(option.names())
                .map(name -> "\\fB" + text(name) + "\\fR")
                .collect(Collectors.joining(", "));
        if (option.arity().max() == 0) {
            return names;
        }
        String value = "=\\fI" + text(option.paramLabel()) + "\\fR";
        return names + (option.arity().min() == 0 ? "[" + value + "]" : value);
    }

    /** A line in capitals begins a section, and all others are shown as they are. */
    private String footer() {
        List<String> lines =
                Arrays.stream(usage.footer()).map(ManualPage::plain).toList();
        StringBuilder text = new StringBuilder();
        boolean isShown = false;
        for (String line : lines) {
            boolean isTitle = line.matches("[A-Z][A-Z ]+");
            if (isTitle || line.isBlank()) {
                text.append(isShown ? ".fi\n" : "");
                isShown = false;
            }
            if (isTitle) {
                text.append(".SH ").append(heading(line)).append('\n');
            } else if (!line.isBlank()) {
                if (!isShown) {
                    text.append(text.isEmpty() ? ".SH NOTES\n.nf\n" : ".nf\n");
                }
                isShown = true;
                text.append(text(line)).append('\n');
            }
        }
        return text + (isShown ? ".fi\n" : "");
    }

    // The last section of the page has other pages.
    private static String heading(String line) {
        return line.equals("SEE ALSO") ? "FURTHER DOCUMENTATION" : line;
    }

    private static String verbatim(Stream<String> lines) {
        return lines.map(line -> text(line) + "\n").collect(Collectors.joining("", ".nf\n", ".fi\n"));
    }

    /** As picocli prints it. */
    private static String plain(String text) {
        return text.replace("%n", "\n").replace("%%", "%");
    }

    private static String quoted(String text) {
        return '"' + text(text) + '"';
    }

    /** So that roff takes nothing of it for a request, and that hyphens of flags can be copied. */
    private static String text(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
