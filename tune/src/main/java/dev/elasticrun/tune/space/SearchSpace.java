/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.space;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All parameters of a study, in the order in which conditions look back. Immutable. */
public record SearchSpace(List<Parameter> parameters) {

    /** @throws IllegalArgumentException if there is none, one is there twice, or a condition can never hold; names it */
    public SearchSpace {
        parameters = List.copyOf(parameters);
        if (parameters.isEmpty()) {
            throw new IllegalArgumentException("space: no parameter (expected: one or more)");
        }
        Map<String, Domain> earlier = new LinkedHashMap<>();
        for (Parameter parameter : parameters) {
            parameter.condition().ifPresent(condition -> check(parameter.name(), condition, earlier));
            if (earlier.put(parameter.name(), parameter.domain()) != null) {
                throw new IllegalArgumentException(parameter.name() + ": given again (expected: once)");
            }
        }
    }

    private static void check(String name, Parameter.Condition condition, Map<String, Domain> earlier) {
        Domain domain = earlier.get(condition.parameter());
        if (!(domain instanceof Domain.Choice choice)) {
            throw new IllegalArgumentException(name + ": when " + condition.parameter()
                    + " (expected: a choice that is given before it, of " + choices(earlier) + ")");
        }
        if (condition.values().isEmpty() || !choice.values().containsAll(condition.values())) {
            throw new IllegalArgumentException(name + ": when " + condition.parameter() + " is " + condition.values()
                    + " (expected: values of " + choice.values() + ")");
        }
    }

    private static List<String> choices(Map<String, Domain> earlier) {
        return earlier.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Domain.Choice)
                .map(Map.Entry::getKey)
                .toList();
    }

    public int size() {
        return parameters.size();
    }

    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        parameters.forEach(parameter -> names.add(parameter.name()));
        return names;
    }

    /**
     * The parameters of a trial. A position is used for each parameter, whether it applies or not, so that a condition does
     * not shift the others.
     *
     * @param positions one for each parameter, from 0 (inclusive) to 1 (exclusive)
     */
    public Map<String, Object> at(double[] positions) {
        if (positions.length != parameters.size()) {
            throw new IllegalArgumentException(
                    "positions: " + positions.length + " (expected: " + parameters.size() + ")");
        }
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < positions.length; i++) {
            Parameter parameter = parameters.get(i);
            if (parameter.applies(values)) {
                values.put(parameter.name(), parameter.domain().at(positions[i]));
            }
        }
        return Collections.unmodifiableMap(values);
    }

    /**
     * All combinations; of parameters that do not apply there is one.
     *
     * @param points how many values of a parameter that has more
     */
    public List<Map<String, Object>> grid(int points) {
        List<Map<String, Object>> all = List.of(Map.of());
        for (Parameter parameter : parameters) {
            List<Map<String, Object>> more = new ArrayList<>();
            for (Map<String, Object> one : all) {
                if (parameter.applies(one)) {
                    parameter.domain().grid(points).forEach(value -> more.add(with(one, parameter.name(), value)));
                } else {
                    more.add(one);
                }
            }
            all = more;
        }
        return all;
    }

    private static Map<String, Object> with(Map<String, Object> one, String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(one);
        more.put(name, value);
        return Collections.unmodifiableMap(more);
    }
}
