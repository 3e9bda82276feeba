/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON object. Values are String, Long, Double, Boolean, Map, List or null. Strict: what RFC 8259 does not
 * allow, repeated names and deep nesting are refused.
 */
final class Json {
    private static final int MAX_DEPTH = 16;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Map<String, @Nullable Object> object(byte[] json) {
        Json parser = new Json(utf8(json));
        parser.blanks();
        if (parser.peek() != '{') {
            throw parser.unexpected("an object");
        }
        Map<String, @Nullable Object> object = parser.members(0);
        parser.blanks();
        if (parser.at < parser.text.length()) {
            throw parser.unexpected("the end");
        }
        return object;
    }

    private static String utf8(byte[] json) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(json))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("json: not UTF-8", e);
        }
    }

    private @Nullable Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("json: nested deeper than " + MAX_DEPTH + " at character " + at);
        }
        blanks();
        return switch (peek()) {
            case '{' -> members(depth);
            case '[' -> elements(depth);
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> members(int depth) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        at++;
        blanks();
        if (peek() == '}') {
            at++;
            return members;
        }
        while (true) {
            blanks();
            String name = string();
            if (members.containsKey(name)) {
                throw new IllegalArgumentException(name + ": more than once");
            }
            blanks();
            take(':');
            members.put(name, value(depth + 1));
            blanks();
            if (peek() == '}') {
                at++;
                return members;
            }
            take(',');
        }
    }

    private List<@Nullable Object> elements(int depth) {
        List<@Nullable Object> elements = new ArrayList<>();
        at++;
        blanks();
        if (peek() == ']') {
            at++;
            return elements;
        }
        while (true) {
            elements.add(value(depth + 1));
            blanks();
            if (peek() == ']') {
                at++;
                return elements;
            }
            take(',');
        }
    }

    private String string() {
        take('"');
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return out.toString();
            } else if (c == '\\') {
                out.append(escaped());
            } else if (c < ' ') {
                at--;
                throw unexpected("an escaped control character");
            } else {
                out.append(c);
            }
        }
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw unexpected("an escape");
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(), 16);
            if (digit < 0) {
                throw unexpected("four hexadecimal digits");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private <T> @Nullable T word(String word, @Nullable T value) {
        if (!text.startsWith(word, at)) {
            throw unexpected(word);
        }
        at += word.length();
        return value;
    }

    // Digits are counted here: a regular expression would be the longest part of reading a message in a young JVM.
    private Object number() {
        int start = at;
        skip("-");
        boolean isNumber = skip("0") || digits();
        boolean isWhole = true;
        if (isNumber && skip(".")) {
            isWhole = false;
            isNumber = digits();
        }
        if (isNumber && skip("eE")) {
            isWhole = false;
            skip("+-");
            isNumber = digits();
        }
        if (!isNumber || isAt("+-.0123456789eE")) {
            at = start;
            throw unexpected("a value");
        }
        String number = text.substring(start, at);
        try {
            // In two statements: as one expression both would be a double.
            if (isWhole) {
                return Long.parseLong(number);
            }
            return Double.parseDouble(number);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("json: " + number + " at character " + start + " is out of range", e);
        }
    }

    private boolean digits() {
        int start = at;
        while (isAt("0123456789")) {
            at++;
        }
        return at > start;
    }

    /** Skips one character if it is one of these. */
    private boolean skip(String characters) {
        boolean isThere = isAt(characters);
        at += isThere ? 1 : 0;
        return isThere;
    }

    private boolean isAt(String characters) {
        return at < text.length() && characters.indexOf(text.charAt(at)) >= 0;
    }

    private void blanks() {
        while (isAt(" \t\r\n")) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw unexpected("more");
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private void take(char expected) {
        if (peek() != expected) {
            throw unexpected("'" + expected + "'");
        }
        at++;
    }

    private IllegalArgumentException unexpected(String expected) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new IllegalArgumentException("json: " + found + " at character " + at + " (expected: " + expected + ")");
    }
}
