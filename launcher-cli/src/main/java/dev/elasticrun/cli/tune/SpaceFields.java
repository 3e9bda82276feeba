/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.tune.space.Domain;
import dev.elasticrun.tune.space.Parameter;
import dev.elasticrun.tune.space.SearchSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The key {@code space}: parameters, each a value, a list of values, or keys with a domain. */
final class SpaceFields {
    private static final String DOMAINS = "uniform, log-uniform, int, log-int or choice";
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]{1,18}");

    private final StudyFields fields;
    private final List<String> violations;

    SpaceFields(StudyFields fields, List<String> violations) {
        this.fields = fields;
        this.violations = violations;
    }

    /** Empty if something was wrong, which is noted. */
    Optional<SearchSpace> read() {
        List<Parameter> parameters = new ArrayList<>();
        int line = 0;
        for (String name : fields.names()) {
            line = fields.line(name);
            parameter(name, line).ifPresent(parameters::add);
        }
        if (!violations.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new SearchSpace(parameters));
        } catch (IllegalArgumentException e) {
            fields.wrong(line, "space", e);
            return Optional.empty();
        }
    }

    private Optional<Parameter> parameter(String name, int line) {
        try {
            if (!fields.isKeys(name)) {
                return Optional.of(Parameter.of(name, new Domain.Choice(values(fields.texts(name)))));
            }
            StudyFields own = fields.nested(name).orElseThrow();
            Optional<Domain> domain = domain(own, line, name);
            if (domain.isEmpty()) {
                return Optional.empty();
            }
            Parameter parameter = Parameter.of(name, domain.get());
            Optional<StudyFields> when = own.nested("when");
            if (when.isPresent()) {
                for (String other : when.get().names()) {
                    parameter = parameter.when(other, values(when.get().texts(other)));
                }
            }
            own.end();
            return Optional.of(parameter);
        } catch (IllegalArgumentException e) {
            fields.wrong(line, name, e);
            return Optional.empty();
        }
    }

    private static Optional<Domain> domain(StudyFields own, int line, String name) {
        for (String kind : List.of("uniform", "log-uniform", "int", "log-int", "choice")) {
            if (own.names().contains(kind)) {
                return Optional.of(domain(kind, own.texts(kind)));
            }
        }
        own.wrong(line, name, new IllegalArgumentException("no domain (expected: " + DOMAINS + ")"));
        return Optional.empty();
    }

    private static Domain domain(String kind, List<String> texts) {
        if (kind.equals("choice")) {
            return new Domain.Choice(values(texts));
        }
        if (texts.size() != 2) {
            throw new IllegalArgumentException(kind + " " + texts + " (expected: [LOW, HIGH])");
        }
        return switch (kind) {
            case "uniform" -> new Domain.Uniform(number(texts.get(0)), number(texts.get(1)));
            case "log-uniform" -> new Domain.LogUniform(number(texts.get(0)), number(texts.get(1)));
            default -> new Domain.Whole(whole(texts.get(0)), whole(texts.get(1)), kind.equals("log-int"));
        };
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + " (expected: a number)", e);
        }
    }

    private static long whole(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + " (expected: a whole number)", e);
        }
    }

    private static List<Object> values(List<String> texts) {
        return texts.stream().map(SpaceFields::value).toList();
    }

    /** As it is written: a whole number, a number, true, false, or a text. */
    private static Object value(String text) {
        if (WHOLE.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        if (text.equals("true") || text.equals("false")) {
            return Boolean.parseBoolean(text);
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return text;
        }
    }
}
