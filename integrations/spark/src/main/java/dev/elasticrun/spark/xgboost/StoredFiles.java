/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;

/**
 * Files of a directory, in any file system that Spark knows.
 *
 * @param directory that has them
 */
record StoredFiles(FileSystem system, Path directory) {
    static StoredFiles at(SparkContext context, String directory) throws IOException {
        Path path = new Path(directory);
        FileSystem system = path.getFileSystem(context.hadoopConfiguration());
        return new StoredFiles(system, system.makeQualified(path));
    }

    byte[] read(String name) throws IOException {
        try (InputStream in = system.open(new Path(directory, name))) {
            return in.readAllBytes();
        }
    }

    /** The file must not exist. */
    void write(String name, byte[] content) throws IOException {
        try (OutputStream out = system.create(new Path(directory, name), false)) {
            out.write(content);
        }
    }
}
