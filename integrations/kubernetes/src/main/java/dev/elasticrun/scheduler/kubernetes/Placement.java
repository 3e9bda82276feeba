/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where agents' pods may run, and as whom. */
record Placement(
        Optional<String> serviceAccount,
        Optional<String> pullSecret,
        Optional<String> priorityClass,
        Map<String, String> nodeSelector,
        List<Toleration> tolerations) {
    static final Pattern SELECTOR = Pattern.compile("([A-Za-z0-9./_-]+)=([A-Za-z0-9._-]*)");
    static final Pattern TOLERATION = Pattern.compile(
            "(\\*|[A-Za-z0-9./_-]+)(?:=([A-Za-z0-9._-]*))?(?::(NoSchedule|PreferNoSchedule|NoExecute))?");

    static Map<String, String> selector(List<String> parts) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String part : parts) {
            Matcher matcher = SELECTOR.matcher(part);
            if (matcher.matches()) {
                labels.put(matcher.group(1), matcher.group(2));
            }
        }
        return labels;
    }

    static List<Toleration> tolerations(List<String> parts) {
        return parts.stream()
                .map(TOLERATION::matcher)
                .filter(Matcher::matches)
                .map(Placement::toleration)
                .toList();
    }

    private static Toleration toleration(Matcher part) {
        TolerationBuilder toleration = new TolerationBuilder().withOperator(part.group(2) == null ? "Exists" : "Equal");
        if (!part.group(1).equals("*")) {
            toleration.withKey(part.group(1));
        }
        if (part.group(2) != null) {
            toleration.withValue(part.group(2));
        }
        if (part.group(3) != null) {
            toleration.withEffect(part.group(3));
        }
        return toleration.build();
    }
}
