/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Fields of an object that has no class, in the order in which they are added. */
final class Fields {
    private final Map<String, Object> values = new LinkedHashMap<>();

    private Fields() {}

    static Fields with(String name, Object value) {
        return new Fields().and(name, value);
    }

    Fields and(String name, Object value) {
        values.put(name, value);
        return this;
    }

    Map<String, Object> map() {
        return Collections.unmodifiableMap(values);
    }
}
