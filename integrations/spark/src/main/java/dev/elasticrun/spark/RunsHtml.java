/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.util.List;
import scala.xml.Utility;

/** Elastic runs as a part of a page. Pure. */
final class RunsHtml {
    private RunsHtml() {}

    /** A whole page, with the styles of Spark's own and a way back to them. */
    static String page(String application, List<DriverView> runs) {
        String name = Utility.escape(application);
        return "<html><head><meta charset=\"utf-8\"/><title>" + name + " - Elastic runs</title>"
                + "<link rel=\"stylesheet\" href=\"../static/bootstrap.min.css\" type=\"text/css\"/>"
                + "</head><body><div class=\"container-fluid\"><p><a href=\"../jobs/\">" + name + ": jobs</a></p>"
                + "<h3>Elastic runs</h3>" + of(runs) + "</div></body></html>";
    }

    /** The newest first. */
    private static String of(List<DriverView> runs) {
        StringBuilder html = new StringBuilder();
        for (int i = runs.size() - 1; i >= 0; i--) {
            DriverView run = runs.get(i);
            html.append("<h4>").append(Utility.escape(run.name())).append("</h4><ul class=\"list-unstyled\">");
            item("State", Utility.escape(run.state()), html);
            item("Nodes, at most", Integer.toString(run.maxNodes()), html);
            item("Progress", Utility.escape(run.progress().line()), html);
            if (!run.page().isEmpty()) {
                String page = Utility.escape(run.page());
                item("Page of an agent", "<a href=\"" + page + "\">" + page + "</a>", html);
            }
            html.append(
                            "</ul><table class=\"table table-striped\"><thead><tr><th>Round</th><th>World size and cause</th>")
                    .append("</tr></thead><tbody>");
            run.progress().rounds().forEach((round, line) -> html.append("<tr><td>")
                    .append(round)
                    .append("</td><td>")
                    .append(Utility.escape(line))
                    .append("</td></tr>"));
            html.append("</tbody></table>");
        }
        return html.toString();
    }

    /** @param value as HTML */
    private static void item(String name, String value, StringBuilder html) {
        html.append("<li><strong>")
                .append(name)
                .append(":</strong> ")
                .append(value)
                .append("</li>");
    }
}
