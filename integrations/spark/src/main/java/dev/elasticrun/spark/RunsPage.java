/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.apache.spark.ui.UIUtils;
import org.apache.spark.ui.WebUIPage;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction0;
import scala.xml.Node;
import scala.xml.Unparsed;

/** How far each elastic run of the application is, and its rounds. */
final class RunsPage extends WebUIPage {
    private final RunsTab tab;

    RunsPage(RunsTab tab) {
        super("");
        this.tab = tab;
    }

    @Override
    public Seq<Node> render(HttpServletRequest request) {
        return UIUtils.headerSparkPage(
                request,
                "Elastic runs",
                new AbstractFunction0<Seq<Node>>() {
                    @Override
                    public Seq<Node> apply() {
                        Node content = new Unparsed(RunsHtml.of(tab.runs()));
                        return CollectionConverters.asScala(List.of(content)).toSeq();
                    }
                },
                tab,
                UIUtils.headerSparkPage$default$5(),
                UIUtils.headerSparkPage$default$6(),
                UIUtils.headerSparkPage$default$7());
    }
}
