/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/** Settings of Hadoop's file systems that an application has among its own, for processes that have none of Spark. */
final class HadoopSettings {
    private static final String PREFIX = "spark.hadoop.";

    private HadoopSettings() {}

    /** In Hadoop's form, without those that have defaults. */
    static byte[] of(SparkConf conf) throws IOException {
        Configuration settings = new Configuration(false);
        for (Tuple2<String, String> setting : conf.getAll()) {
            if (setting._1().startsWith(PREFIX)) {
                settings.set(setting._1().substring(PREFIX.length()), setting._2());
            }
        }
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        settings.writeXml(xml);
        return xml.toByteArray();
    }
}
