/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.Type;

/** Columns are read without assembling records: a reader requests a converter for each, and calls none. */
final class NoRecords extends GroupConverter {
    private final GroupType type;

    NoRecords(GroupType type) {
        this.type = type;
    }

    @Override
    public Converter getConverter(int index) {
        Type field = type.getType(index);
        return field.isPrimitive() ? new NoValues() : new NoRecords(field.asGroupType());
    }

    @Override
    public void start() {}

    @Override
    public void end() {}

    private static final class NoValues extends PrimitiveConverter {}
}
