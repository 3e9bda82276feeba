/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;

/** Reads shards, column by column, from the Parquet files that Spark wrote for them. */
final class ShardReader {
    private final Configuration settings;
    private final ShardTraining.Data data;

    ShardReader(Configuration settings, ShardTraining.Data data) {
        this.settings = settings;
        this.data = data;
    }

    /**
     * Reads one shard. A shard without a file has no rows: Spark writes none for an empty partition.
     *
     * @param directory of all shards
     * @throws IOException when it cannot be read, or is of another form; names the file
     */
    Shard read(Path directory, int shard) throws IOException {
        List<ParquetFileReader> files = new ArrayList<>();
        try {
            long rows = 0;
            long bytes = 0;
            for (FileStatus file : files(directory, shard)) {
                ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromStatus(file, settings));
                files.add(reader);
                rows += reader.getRecordCount();
                bytes += reader.getRowGroups().stream()
                        .mapToLong(BlockMetaData::getCompressedSize)
                        .sum();
            }
            if (rows * data.features() > Integer.MAX_VALUE - 8) {
                throw new IOException(
                        "shard " + shard + " of " + directory + ": " + rows + " rows of " + data.features()
                                + " features (expected: at most 2^31 values; more workers have smaller shards)");
            }
            Columns columns = new Columns((int) rows);
            for (ParquetFileReader file : files) {
                columns.read(file);
            }
            return new Shard(columns.labels, columns.features, columns.weights, columns.margins, columns.groups, bytes);
        } finally {
            for (ParquetFileReader file : files) {
                file.close();
            }
        }
    }

    // The number of a partition is in the name of its files: part-00002-UUID.c000.snappy.parquet
    private List<FileStatus> files(Path directory, int shard) throws IOException {
        String prefix = String.format(Locale.ROOT, "part-%05d-", shard);
        FileSystem system = directory.getFileSystem(settings);
        return Arrays.stream(system.listStatus(directory, file -> file.getName().startsWith(prefix)))
                .sorted(Comparator.comparing(FileStatus::getPath))
                .toList();
    }

    /** The columns of a shard while its files are read one after the other. */
    private final class Columns {
        private final float[] labels;
        private final float[] features;
        private final float[] weights;
        private final float[] margins;
        private final long[] groups;
        private int row;

        Columns(int rows) {
            labels = new float[rows];
            features = new float[rows * data.features()];
            weights = new float[data.isWeighted() ? rows : 0];
            margins = new float[data.hasMargins() ? rows : 0];
            groups = new long[data.isGrouped() ? rows : 0];
        }

        void read(ParquetFileReader file) throws IOException {
            MessageType schema = file.getFileMetaData().getSchema();
            PageReadStore pages = file.readNextRowGroup();
            while (pages != null) {
                ColumnReadStoreImpl store = new ColumnReadStoreImpl(
                        pages,
                        new NoRecords(schema),
                        schema,
                        file.getFileMetaData().getCreatedBy());
                int count = Math.toIntExact(pages.getRowCount());
                for (ColumnDescriptor column : schema.getColumns()) {
                    read(file.getFile(), column.getPath()[0], store.getColumnReader(column), count);
                }
                row += count;
                pages = file.readNextRowGroup();
            }
        }

        private void read(String file, String column, ColumnReader values, int rows) throws IOException {
            int perRow = column.equals(ShardTraining.FEATURES) ? data.features() : 1;
            int from = row * perRow;
            for (int at = from; at < from + rows * perRow; at++) {
                boolean isFirst = at % perRow == 0;
                if (values.getCurrentDefinitionLevel() < values.getDescriptor().getMaxDefinitionLevel()
                        || isFirst != (values.getCurrentRepetitionLevel() == 0)) {
                    throw new IOException(file + ": column " + column + ": null or another number of values in row "
                            + at / perRow + " (expected: " + perRow + " in each)");
                }
                switch (column) {
                    case ShardTraining.LABEL -> labels[at] = values.getFloat();
                    case ShardTraining.FEATURES -> features[at] = values.getFloat();
                    case ShardTraining.WEIGHT -> weights[at] = values.getFloat();
                    case ShardTraining.MARGIN -> margins[at] = values.getFloat();
                    case ShardTraining.GROUP -> groups[at] = values.getLong();
                    default -> throw new IOException(file + ": column " + column + " (expected: none of that name)");
                }
                values.consume();
            }
        }
    }
}
