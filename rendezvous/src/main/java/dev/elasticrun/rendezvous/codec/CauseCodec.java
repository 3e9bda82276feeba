/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseFields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Causes as {@link Struct}s. A new type of cause needs nothing here. */
final class CauseCodec {
    private CauseCodec() {}

    static List<Struct> encode(List<Cause> causes) {
        return causes.stream().map(CauseCodec::encode).toList();
    }

    /** Without causes of a type that this version does not know. */
    static List<Cause> decode(List<Struct> stored) {
        return stored.stream().map(CauseCodec::decode).flatMap(Optional::stream).toList();
    }

    private static Struct encode(Cause cause) {
        Struct.Builder struct = Struct.newBuilder();
        CauseFields.of(cause).forEach((name, field) -> struct.putFields(name, encode(field)));
        return struct.build();
    }

    private static Value encode(Object field) {
        Value.Builder value = Value.newBuilder();
        if (field instanceof List<?> list) {
            ListValue.Builder values = ListValue.newBuilder();
            list.forEach(one -> values.addValues(encode(one)));
            return value.setListValue(values).build();
        } else if (field instanceof Number number) {
            return value.setNumberValue(number.doubleValue()).build();
        } else if (field instanceof Boolean flag) {
            return value.setBoolValue(flag).build();
        }
        return value.setStringValue(String.valueOf(field)).build();
    }

    private static Optional<Cause> decode(Struct struct) {
        Map<String, Object> fields = new HashMap<>();
        struct.getFieldsMap().forEach((name, value) -> fields.put(name, decode(value)));
        return CauseFields.parse(fields);
    }

    private static Object decode(Value value) {
        return switch (value.getKindCase()) {
            case LIST_VALUE ->
                value.getListValue().getValuesList().stream()
                        .map(CauseCodec::decode)
                        .toList();
            case NUMBER_VALUE -> value.getNumberValue();
            case BOOL_VALUE -> value.getBoolValue();
            case STRING_VALUE, STRUCT_VALUE, NULL_VALUE, KIND_NOT_SET -> value.getStringValue();
        };
    }
}
