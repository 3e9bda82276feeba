/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.decisions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field in which two plans differ.
 *
 * @param field its name after those that contain it, separated by dots; elements of lists by their nodes,
 *     else by their places from 0
 * @param recorded its value as recorded; {@code none} where it is absent
 * @param replayed its value as decided again
 */
public record Difference(String field, String recorded, String replayed) {
    private static final String KIND = "kind";
    private static final String NODE = "node_id";
    private static final String SPEC = "spec";
    private static final int MAX_TEXT = 160;

    /** All of two trees of fields. Of records of different kinds only the kinds: their other fields mean other things. */
    static List<Difference> between(Map<String, Object> recorded, Map<String, Object> replayed) {
        List<Difference> found = new ArrayList<>();
        compare("", recorded, replayed, found);
        return List.copyOf(found);
    }

    private static void compare(
            String field, @Nullable Object recorded, @Nullable Object replayed, List<Difference> found) {
        if (recorded == null ? replayed == null : recorded.equals(replayed)) {
            return;
        }
        if (recorded instanceof Map<?, ?> before && replayed instanceof Map<?, ?> now) {
            boolean isOtherKind = before.get(KIND) != null && !before.get(KIND).equals(now.get(KIND));
            Set<Object> names = new LinkedHashSet<>(isOtherKind ? Set.of(KIND) : before.keySet());
            names.addAll(isOtherKind ? Set.of() : now.keySet());
            String start = field.isEmpty() ? "" : field + ".";
            names.forEach(name -> compare(start + name, before.get(name), now.get(name), found));
        } else if (recorded instanceof List<?> before && replayed instanceof List<?> now && areRecords(before, now)) {
            compareRecords(field, before, now, found);
        } else {
            found.add(new Difference(field, text(recorded), text(replayed)));
        }
    }

    private static boolean areRecords(List<?> recorded, List<?> replayed) {
        return Stream.concat(recorded.stream(), replayed.stream()).allMatch(Map.class::isInstance);
    }

    private static void compareRecords(String field, List<?> recorded, List<?> replayed, List<Difference> found) {
        Map<String, Object> before = named(recorded);
        Map<String, Object> now = named(replayed);
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(now.keySet());
        int known = found.size();
        names.forEach(name -> compare(field + "[" + name + "]", before.get(name), now.get(name), found));
        if (found.size() == known) {
            found.add(new Difference(field, String.join(", ", before.keySet()), String.join(", ", now.keySet())));
        }
    }

    /** By their nodes if each is of another one, else by their places. */
    private static Map<String, Object> named(List<?> records) {
        Map<String, Object> byNode = new LinkedHashMap<>();
        Map<String, Object> byPlace = new LinkedHashMap<>();
        for (Object one : records) {
            byPlace.put(String.valueOf(byPlace.size()), one);
            node(one).ifPresent(node -> byNode.put(node, one));
        }
        return byNode.size() == records.size() ? byNode : byPlace;
    }

    private static Optional<String> node(@Nullable Object record) {
        if (!(record instanceof Map<?, ?> fields)) {
            return Optional.empty();
        }
        return fields.get(NODE) instanceof String node ? Optional.of(node) : node(fields.get(SPEC));
    }

    private static String text(@Nullable Object value) {
        String text = value == null ? "none" : String.valueOf(value);
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }
}
