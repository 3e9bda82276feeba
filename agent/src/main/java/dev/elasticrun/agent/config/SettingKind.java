/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What the values of a setting are, and how they are written. A text that is no such value causes an {@link
 * IllegalArgumentException} whose message states what is expected.
 *
 * @param label what a value looks like; empty = the setting is a switch, which takes none
 * @param parser from the texts that were given, at least one
 * @param printer the reverse; no texts = not set
 * @param joiner from the list that a file may have in place of a text to such texts
 * @param none the value that no text stands for, as that of a switch which is off; empty = there is no such value
 */
public record SettingKind<T>(
        String label,
        Function<List<String>, T> parser,
        Function<T, List<String>> printer,
        Function<List<String>, List<String>> joiner,
        Optional<T> none) {
    static final SettingKind<Boolean> SWITCH = new SettingKind<>(
            "",
            texts -> SettingTexts.yesOrNo(last(texts)),
            on -> List.of("true"),
            items -> oneOnly(),
            Optional.of(false));
    static final SettingKind<Map<String, String>> VARIABLES = new SettingKind<>(
            "NAME=VALUE", SettingTexts::variables, SettingTexts::assignments, items -> items, Optional.of(Map.of()));
    static final SettingKind<Path> FILE = one("FILE", SettingTexts::path, Path::toString);
    static final SettingKind<Path> DIR = one("DIR", SettingTexts::path, Path::toString);
    static final SettingKind<Duration> TIME = one("TIME", SettingTexts::duration, SettingTexts::text);
    static final SettingKind<Long> SIZE = one("SIZE", SettingTexts::size, SettingTexts::text);
    static final SettingKind<NodeRange> NODES = one("N|MIN:MAX", SettingTexts::nodes, SettingTexts::text);
    static final SettingKind<ListenAddress> LISTEN = one("[HOST:]PORT", ListenAddress::parse, ListenAddress::text);
    static final SettingKind<LogPrefix> PREFIX = one("TEXT", LogPrefix::new, LogPrefix::template);
    static final SettingKind<StreamMap> STREAMS =
            one("WHAT|RANK:WHAT,...", StreamMap::parse, StreamMap::text).joinedBy(SettingTexts::joined);
    static final SettingKind<String> SEARCH_PATH =
            text("PATH").joinedBy(items -> String.join(File.pathSeparator, items));
    static final SettingKind<List<String>> WORDS =
            list("OPTIONS", SettingTexts::words, SettingTexts::quoted, SettingTexts::quoted, List.of());
    static final SettingKind<List<String>> TEXTS =
            list("TEXT,...", SettingTexts::texts, SettingTexts::joinedTexts, SettingTexts::joinedTexts, List.of());
    static final SettingKind<List<String>> ENDPOINTS = list("HOST[:PORT],...", SettingTexts::endpoints);
    static final SettingKind<List<DrainSignal>> SIGNALS = list("USR1|USR2,...", SettingTexts::signals);
    static final SettingKind<List<Integer>> EXIT_CODES = list("N,...", SettingTexts::exitCodes);
    static final SettingKind<Set<Integer>> RANKS = list(
            "RANK,...",
            SettingTexts::ranks,
            ranks -> SettingTexts.joined(ranks.stream().sorted().toList()),
            SettingTexts::joined,
            Set.of());

    /** A kind whose values are those of an enum, written in lower case. */
    static <E extends Enum<E>> SettingKind<E> choice(Class<E> type) {
        List<String> words =
                Arrays.stream(type.getEnumConstants()).map(SettingKind::word).toList();
        int last = words.size() - 1;
        String expected = String.join(", ", words.subList(0, last)) + " or " + words.get(last);
        return one(
                String.join("|", words),
                text -> Arrays.stream(type.getEnumConstants())
                        .filter(value -> word(value).equals(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(expected)),
                SettingKind::word);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static SettingKind<String> text(String label) {
        return one(label, text -> text, text -> text);
    }

    /** @param expected what a text that is no number should have been */
    static SettingKind<Integer> number(String expected) {
        return one("N", text -> SettingTexts.number(text, expected), String::valueOf);
    }

    /** One text; the last one given counts. */
    static <T> SettingKind<T> one(String label, Function<String, T> parser, Function<T, String> printer) {
        return new SettingKind<>(
                label,
                texts -> parser.apply(last(texts)),
                value -> List.of(printer.apply(value)),
                items -> oneOnly(),
                Optional.empty());
    }

    // Several values in one text, separated by commas.
    private static <T> SettingKind<List<T>> list(String label, Function<String, List<T>> parser) {
        return list(label, parser, SettingTexts::joined, SettingTexts::joined, List.of());
    }

    private static <T> SettingKind<T> list(
            String label,
            Function<String, T> parser,
            Function<T, String> printer,
            Function<List<String>, String> joiner,
            T none) {
        return new SettingKind<>(
                label,
                texts -> parser.apply(last(texts)),
                values -> List.of(printer.apply(values)),
                items -> List.of(joiner.apply(items)),
                Optional.of(none));
    }

    /** The same, but refuses one text, which has a meaning elsewhere, with a message of its own. */
    SettingKind<T> refusing(String text, String expected) {
        return new SettingKind<>(
                label,
                texts -> {
                    if (last(texts).equals(text)) {
                        throw new IllegalArgumentException(expected);
                    }
                    return parser.apply(texts);
                },
                printer,
                joiner,
                none);
    }

    private SettingKind<T> joinedBy(Function<List<String>, String> join) {
        return new SettingKind<>(label, parser, printer, items -> List.of(join.apply(items)), none);
    }

    private static String last(List<String> texts) {
        return texts.get(texts.size() - 1);
    }

    private static List<String> oneOnly() {
        throw new IllegalArgumentException("one value");
    }

    /** Throws IllegalArgumentException that states what is expected. */
    public T parse(List<String> texts) {
        return parser.apply(texts);
    }

    /** As texts from which it is read again; none for {@link #none}. */
    public List<String> print(T value) {
        return none.filter(value::equals).isPresent() ? List.of() : printer.apply(value);
    }

    /** A setting whose value may be absent, or none. */
    Setting<T> setting(String name, String help) {
        return new Setting<>(
                name,
                new Setting.Aliases("", "", ""),
                this,
                help,
                new Setting.Fallback<>("", () -> none),
                new Setting.Check<>(value -> true, ""),
                Optional.empty());
    }

    /** @param fallback the default as the user would type it */
    Setting<T> setting(String name, String fallback, String help) {
        Optional<T> value = Optional.of(parse(List.of(fallback)));
        return setting(name, help).orElse(new Setting.Fallback<>(fallback, () -> value));
    }

    /** Throws IllegalArgumentException if no list can stand for a value. */
    public List<String> join(List<String> items) {
        return joiner.apply(items);
    }

    public boolean takesValue() {
        return !label.isEmpty();
    }

    /** Whether each text gives a name its value. */
    public boolean takesAssignments() {
        return label.equals(VARIABLES.label);
    }
}
