/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkContext;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/** A tab of an application's pages: its elastic runs. */
final class RunsTab extends SparkUITab {
    private static final Logger LOG = LoggerFactory.getLogger(RunsTab.class);
    private static final String PREFIX = "elastic-run";

    private final List<DriverView> runs = new CopyOnWriteArrayList<>();

    private RunsTab(SparkUI pages) {
        super(pages, PREFIX);
        attachPage(new RunsPage(this));
    }

    /** Adds a run to the pages, if the application has pages. */
    static void show(SparkContext context, DriverView run) {
        if (context.ui().isEmpty()) {
            return;
        }
        try {
            of(context.ui().get()).runs.add(run);
        } catch (LinkageError e) {
            // Pages of Spark 3 are of another generation of servlets.
            LOG.info("no page about elastic runs with this version of Spark: {}", e.toString());
        }
    }

    private static RunsTab of(SparkUI pages) {
        synchronized (pages) {
            return CollectionConverters.asJava(pages.getTabs()).stream()
                    .filter(RunsTab.class::isInstance)
                    .map(RunsTab.class::cast)
                    .findFirst()
                    .orElseGet(() -> attached(pages));
        }
    }

    private static RunsTab attached(SparkUI pages) {
        RunsTab tab = new RunsTab(pages);
        pages.attachTab(tab);
        return tab;
    }

    List<DriverView> runs() {
        return runs;
    }
}
