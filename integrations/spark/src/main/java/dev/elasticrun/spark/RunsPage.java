/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.apache.spark.ui.WebUIPage;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.xml.Node;
import scala.xml.Unparsed;

/** How far each elastic run of the application is, and its rounds. */
final class RunsPage extends WebUIPage {
    private final RunsTab tab;

    RunsPage(RunsTab tab) {
        super("");
        this.tab = tab;
    }

    // Written whole here: what Spark has to write heads of pages with is another one in each version.
    @Override
    public Seq<Node> render(HttpServletRequest request) {
        Node page = new Unparsed(RunsHtml.page(tab.appName(), tab.runs()));
        return CollectionConverters.asScala(List.of(page)).toSeq();
    }
}
