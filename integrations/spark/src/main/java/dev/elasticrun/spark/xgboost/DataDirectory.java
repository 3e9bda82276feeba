/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.xgboost;

import dev.elasticrun.spark.ElasticSparkException;
import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory of one training, in a file system that driver and executors have. Deleted with all that is in it. */
final class DataDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);

    private final StoredFiles files;

    private DataDirectory(StoredFiles files) {
        this.files = files;
    }

    /**
     * Creates one.
     *
     * @param parent where; empty = in the default file system, if others have it, too
     * @throws ElasticSparkException when it cannot be created; names it
     */
    static DataDirectory create(SparkContext context, String parent, String name) {
        String place = parent;
        try {
            if (place.isEmpty()) {
                FileSystem standard = FileSystem.get(context.hadoopConfiguration());
                if (standard.getScheme().equals("file")) {
                    throw new ElasticSparkException(
                            "dataDirectory: not set (expected: a directory that driver and executors "
                                    + "reach, as the default file system is " + standard.getUri() + ")");
                }
                place = new Path(standard.getHomeDirectory(), ".elastic-run").toString();
            }
            StoredFiles files = StoredFiles.at(context, place + "/" + name + "-" + UUID.randomUUID());
            if (!files.system().mkdirs(files.directory())) {
                throw new IOException(files.directory() + " is not created");
            }
            return new DataDirectory(files);
        } catch (IOException | IllegalArgumentException e) {
            throw new ElasticSparkException(
                    "dataDirectory: " + place + " (expected: a directory that can be written): " + e, e);
        }
    }

    String uri() {
        return files.directory().toString();
    }

    String child(String name) {
        return new Path(files.directory(), name).toString();
    }

    /**
     * Checks that what executors wrote is there for the driver as well. Spark writes a file even of no rows.
     *
     * @throws ElasticSparkException when it is not
     */
    void requireFiles(String name) {
        try {
            if (files.system()
                            .listStatus(new Path(child(name)), file -> file.getName()
                                    .startsWith("part-"))
                            .length
                    == 0) {
                throw new ElasticSparkException(
                        "dataDirectory: " + child(name)
                                + " has nothing of what executors wrote (expected: a directory that driver and executors share)");
            }
        } catch (IOException e) {
            throw new ElasticSparkException("dataDirectory: " + child(name) + " cannot be read: " + e, e);
        }
    }

    /** What a worker put there. */
    byte[] read(String name) {
        try {
            return files.read(name);
        } catch (IOException e) {
            throw new ElasticSparkException(
                    child(name) + ": cannot be read (expected: written by a worker on an executor, in a "
                            + "directory that the driver reaches): " + e,
                    e);
        }
    }

    @Override
    public void close() {
        try {
            files.system().delete(files.directory(), true);
        } catch (IOException e) {
            LOG.warn("{} is left: {}", uri(), e.toString());
        }
    }
}
