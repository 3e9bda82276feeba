/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Converts texts of settings to values and back. Pure. A text that is no such value causes an {@link
 * IllegalArgumentException} whose message states what was expected.
 */
public final class SettingTexts {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)?");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?\\d{1,9}");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kmg]?)");
    static final String HTTP_URL = "http://HOST:PORT or https://HOST:PORT, without user and query";

    private static final String UNITS = " kmg";
    private static final int DEFAULT_PORT = 2379;

    private SettingTexts() {}

    public static NodeRange nodes(String text) {
        String[] parts = text.split(":", -1);
        boolean numbers = parts.length <= 2
                && Arrays.stream(parts)
                        .allMatch(part -> WHOLE_NUMBER.matcher(part).matches());
        NodeRange nodes = numbers
                ? new NodeRange(Integer.parseInt(parts[0]), Integer.parseInt(parts[parts.length - 1]))
                : new NodeRange(0, 0);
        if (!nodes.isPossible()) {
            throw new IllegalArgumentException(NodeRange.EXPECTED);
        }
        return nodes;
    }

    static String text(NodeRange nodes) {
        return nodes.min() == nodes.max() ? Integer.toString(nodes.min()) : nodes.toString();
    }

    public static int number(String text, String expected) {
        if (!WHOLE_NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException(expected);
        }
        return Integer.parseInt(text);
    }

    static URI url(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(HTTP_URL, e);
        }
    }

    static boolean isHttp(URI url) {
        String scheme = String.valueOf(url.getScheme());
        return (scheme.equals("http") || scheme.equals("https"))
                && url.getHost() != null
                && url.getRawUserInfo() == null
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
    }

    static boolean yesOrNo(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "1", "true", "yes" -> true;
            case "0", "false", "no" -> false;
            default -> throw new IllegalArgumentException("1, true or yes, or 0, false or no");
        };
    }

    public static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a time such as 500ms, 5s, 2m or 1h; a plain number is seconds");
        }
        long amount = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofSeconds(amount);
        };
    }

    public static String text(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }

    /** Bytes; k, m and g are powers of 1024. */
    public static long size(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a size such as 500k, 64m or 1g, or 0");
        }
        String unit = matcher.group(2);
        return Long.parseLong(matcher.group(1)) << (10 * (unit.isEmpty() ? 0 : UNITS.indexOf(unit)));
    }

    static String text(long bytes) {
        int unit = 0;
        long count = bytes;
        while (count > 0 && count % 1024 == 0 && unit < UNITS.length() - 1) {
            count /= 1024;
            unit++;
        }
        return count + UNITS.substring(unit, unit + 1).strip();
    }

    /** Local ranks separated by commas. */
    static Set<Integer> ranks(String text) {
        Set<Integer> ranks = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            if (!part.matches("\\d{1,6}")) {
                throw new IllegalArgumentException("local ranks separated by commas, such as 0,2");
            }
            ranks.add(Integer.parseInt(part));
        }
        return Set.copyOf(ranks);
    }

    /** Texts separated by commas; a comma in a text is written twice. */
    static List<String> texts(String text) {
        List<String> texts = Arrays.stream(text.replace(",,", "\0").split(",", -1))
                .map(part -> part.replace('\0', ','))
                .toList();
        if (texts.contains("")) {
            throw new IllegalArgumentException("texts separated by commas, none of them empty");
        }
        return texts;
    }

    /** The reverse of {@link #texts}. */
    static String joinedTexts(List<String> texts) {
        return texts.stream().map(text -> text.replace(",", ",,")).collect(Collectors.joining(","));
    }

    /** Values separated by commas. */
    static String joined(List<?> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    static List<DrainSignal> signals(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(name -> DrainSignal.of(name.strip())
                        .orElseThrow(() -> new IllegalArgumentException("USR1, USR2 or both, separated by ','")))
                .distinct()
                .toList();
    }

    static List<Integer> exitCodes(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(number -> number(number.strip(), "exit codes, separated by ','"))
                .distinct()
                .toList();
    }

    /** Addresses separated by commas; one without a port gets that of etcd, but a path or URL of another store stays as it is. */
    static List<String> endpoints(String text) {
        List<String> endpoints = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String endpoint = part.strip();
            boolean address6 = endpoint.startsWith("[");
            boolean port = endpoint.contains("/") || (address6 ? endpoint.contains("]:") : endpoint.contains(":"));
            endpoints.add(endpoint.isEmpty() || port ? endpoint : endpoint + ":" + DEFAULT_PORT);
        }
        return List.copyOf(endpoints);
    }

    public static Path path(String text) {
        try {
            if (!text.isBlank()) {
                return Path.of(text);
            }
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("a path; " + e.getReason(), e);
        }
        throw new IllegalArgumentException("a path");
    }

    /** NAME=VALUE, one per text. */
    static Map<String, String> variables(List<String> texts) {
        Map<String, String> variables = new TreeMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("NAME=VALUE");
            }
            variables.put(text.substring(0, equals), text.substring(equals + 1));
        }
        return Map.copyOf(variables);
    }

    /** The reverse of {@link #variables}, by name. */
    static List<String> assignments(Map<String, String> variables) {
        return variables.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .sorted()
                .toList();
    }

    /** Splits at white space, except within single or double quotes. */
    static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0 ? c == quote : c == '\'' || c == '"') {
                quote = quote == 0 ? c : 0;
                inWord = true;
            } else if (quote == 0 && Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("words with every " + quote + " closed");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return List.copyOf(words);
    }

    /** The reverse of {@link #words}. */
    static String quoted(List<String> words) {
        return String.join(" ", words.stream().map(SettingTexts::quoted).toList());
    }

    private static String quoted(String word) {
        boolean plain =
                !word.isEmpty() && word.chars().noneMatch(c -> Character.isWhitespace(c) || c == '\'' || c == '"');
        return plain ? word : "'" + word.replace("'", "'\"'\"'") + "'";
    }
}
