/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** An application that was submitted for agents alone: settings that are not given are as agents need them. */
final class SubmittedApplication {
    private static final String LIMIT = "1000";

    private SubmittedApplication() {}

    /** @param name of the application, if it was submitted without one */
    static SparkContext start(String name) {
        SparkConf conf = new SparkConf();
        conf.setIfMissing("spark.app.name", name);
        conf.setIfMissing(SparkSettings.MAX_FAILURES, LIMIT);
        // Who starts this driver has read it before, and would not learn of another value.
        if (!conf.get(SparkSettings.DEPLOY_MODE, "client").equals("cluster")) {
            conf.setIfMissing(SparkSettings.MAX_EXECUTOR_FAILURES, LIMIT);
        }
        return new SparkContext(conf);
    }
}
