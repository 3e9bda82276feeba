/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.JobOption;
import dev.elasticrun.scheduler.SchedulerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Reads values of options, and collects all that is wrong with them. */
final class OptionReader {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Pattern QUANTITY = Pattern.compile("\\d+(\\.\\d+)?([KMGTPE]i|[mkMGTPE])?");
    private static final Pattern OBJECT_NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

    private final Map<String, String> values;
    private final List<String> wrong = new ArrayList<>();

    OptionReader(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    boolean has(JobOption option) {
        return values.containsKey(option.name());
    }

    /** Empty if it is not given, or wrong. */
    Optional<String> text(JobOption option) {
        return matching(option, text -> !text.isBlank(), option.label());
    }

    Optional<String> quantity(JobOption option) {
        return matching(
                option, text -> QUANTITY.matcher(text).matches(), "a quantity of Kubernetes such as 500m, 2 or 4Gi");
    }

    Optional<String> objectName(JobOption option) {
        return matching(
                option,
                text -> OBJECT_NAME.matcher(text).matches(),
                "a name of lower-case letters, digits, '-' and '.'");
    }

    int number(JobOption option, int otherwise) {
        return matching(option, text -> NUMBER.matcher(text).matches(), "a number, at least 0")
                .map(Integer::parseInt)
                .orElse(otherwise);
    }

    /** In seconds. */
    int time(JobOption option, int otherwise) {
        return text(option)
                .flatMap(text -> {
                    Optional<Integer> seconds = TimeText.parse(text)
                            .map(time -> Math.toIntExact(Math.min(TimeText.seconds(time), Integer.MAX_VALUE)));
                    if (seconds.isEmpty()) {
                        wrong(option.name(), text, TimeText.EXPECTED);
                    }
                    return seconds;
                })
                .orElse(otherwise);
    }

    /** The parts of a list. */
    List<String> list(JobOption option, Pattern part) {
        return matching(
                        option,
                        text -> List.of(text.split(",", -1)).stream()
                                .allMatch(each -> part.matcher(each).matches()),
                        option.label())
                .map(text -> List.of(text.split(",", -1)))
                .orElse(List.of());
    }

    /** Adds a violation for an option that makes no sense beside the others. */
    void refuse(JobOption option, String expected) {
        if (has(option)) {
            wrong(option.name(), String.valueOf(values.get(option.name())), expected);
        }
    }

    void wrong(String name, String value, String expected) {
        wrong.add(SchedulerException.line(name, value, expected));
    }

    /** @throws SchedulerException with all that is wrong */
    void check() {
        if (!wrong.isEmpty()) {
            throw new SchedulerException(wrong.stream().distinct().toList());
        }
    }

    private Optional<String> matching(JobOption option, Predicate<String> fits, String expected) {
        String value = values.get(option.name());
        if (value == null) {
            return Optional.empty();
        }
        if (!fits.test(value)) {
            wrong(option.name(), value, expected);
            return Optional.empty();
        }
        return Optional.of(value);
    }
}
