/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Tuple4;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/** Writes to the driver's log how far a run is, whenever an executor's heartbeat has news. Called by one thread of Spark. */
final class ProgressLog extends SparkListener {
    private static final Logger LOG = LoggerFactory.getLogger(ElasticSpark.class);

    private final DriverView run;

    /** @param run whose name is that of the accumulator */
    ProgressLog(DriverView run) {
        this.run = run;
    }

    @Override
    public void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate update) {
        Iterator<Tuple4<Object, Object, Object, Seq<AccumulableInfo>>> tasks =
                update.accumUpdates().iterator();
        while (tasks.hasNext()) {
            Iterator<AccumulableInfo> values = tasks.next()._4().iterator();
            while (values.hasNext()) {
                look(values.next());
            }
        }
    }

    private void look(AccumulableInfo info) {
        Option<Object> value = info.update();
        boolean isOurs = info.name().contains(run.name()) && value.isDefined();
        if (isOurs && value.get() instanceof RunProgress.View view && run.add(view)) {
            LOG.info("{}: {}", run.name(), run.progress().line());
        }
    }
}
