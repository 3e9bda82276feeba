/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments of one call of a command, taken apart. Values stay texts. By hand, since a library that does it costs the
 * half of a command's time.
 */
final class Arguments {
    private static final String END = "--";

    private final Map<String, OptionForm> forms = new HashMap<>();
    /** Values by an option's first name; those of a switch are empty texts. */
    private final Map<String, List<String>> values = new HashMap<>();

    private final List<String> others = new ArrayList<>();

    private Arguments(CommandForm form) {
        form.allOptions().forEach(option -> option.names().forEach(name -> forms.put(name, option)));
    }

    /** @throws UsageException naming the first that the command does not know or that has no value */
    static Arguments parse(CommandForm form, List<String> given) {
        Arguments parsed = new Arguments(form);
        parsed.read(form, given);
        return parsed;
    }

    /** Whether an option was given. */
    boolean has(String name) {
        return !values(name).isEmpty();
    }

    /** What it was given last; empty = it was not given. */
    Optional<String> value(String name) {
        List<String> all = values(name);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /** What it was given each time. */
    List<String> values(String name) {
        OptionForm form = forms.get(name);
        return form == null ? List.of() : values.getOrDefault(form.names().get(0), List.of());
    }

    /** What is no option. */
    List<String> others() {
        return List.copyOf(others);
    }

    private void read(CommandForm form, List<String> given) {
        boolean optionsMayFollow = true;
        int next = 0;
        while (next < given.size()) {
            String argument = given.get(next++);
            if (optionsMayFollow && argument.equals(END)) {
                optionsMayFollow = false;
            } else if (optionsMayFollow && argument.startsWith("-") && argument.length() > 1) {
                next += option(argument, given.subList(next, given.size()));
            } else {
                optionsMayFollow &= !other(form, argument);
            }
        }
    }

    /** @return whether all that follows belongs to it */
    private boolean other(CommandForm form, String argument) {
        boolean isLast = form.argument().map(CommandForm.Argument::isLast).orElse(false);
        if (form.argument().isEmpty() || !(isLast || others.isEmpty())) {
            throw UsageException.of("argument", argument, "no arguments here");
        }
        others.add(argument);
        return isLast;
    }

    /** @return how many of what follows belong to it */
    private int option(String argument, List<String> following) {
        String name = name(argument);
        OptionForm form = forms.get(name);
        if (form == null) {
            throw unknown(name);
        }
        if (name.length() < argument.length()) {
            String value = argument.substring(name.length() + 1);
            if (!form.takesValue()) {
                throw UsageException.of(name, value, "no value");
            }
            return add(form, value, 0);
        }
        return form.takesValue() ? optionWithValue(form, following) : add(form, "", 0);
    }

    private int optionWithValue(OptionForm form, List<String> following) {
        String next = following.isEmpty() ? END : following.get(0);
        boolean isValue = !next.equals(END) && !forms.containsKey(name(next));
        if (form.needsValue()) {
            if (!isValue) {
                throw UsageException.of(form.names().get(0), "no value", "a value after it");
            }
            return add(form, next, 1);
        }
        return isValue && !next.startsWith("-") ? add(form, next, 1) : add(form, form.alone(), 0);
    }

    private static String name(String argument) {
        int end = argument.indexOf('=');
        return end < 0 ? argument : argument.substring(0, end);
    }

    private int add(OptionForm form, String value, int used) {
        values.computeIfAbsent(form.names().get(0), first -> new ArrayList<>()).add(value);
        return used;
    }

    private UsageException unknown(String name) {
        List<String> known = forms.keySet().stream()
                .filter(other -> other.startsWith("--") && !other.contains("_"))
                .sorted()
                .toList();
        return UsageException.of(
                name,
                "unknown flag",
                Spelling.nearest(name.replace('_', '-'), known)
                        .map(near -> "a flag that --help lists; the nearest is " + near)
                        .orElse("a flag that --help lists"));
    }
}
