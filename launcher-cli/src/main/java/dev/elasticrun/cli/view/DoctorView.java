/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import dev.elasticrun.agent.doctor.Check;
import dev.elasticrun.agent.doctor.DoctorReport;
import dev.elasticrun.agent.doctor.Health;
import dev.elasticrun.cli.text.PlainText;
import java.util.Locale;

/** A node's examination, for users: a line for each check, and one more for what to do. Pure. */
public final class DoctorView {
    private static final int WIDTH_OF_HEALTH = 9;
    private static final int WIDTH_OF_NAME = 24;

    private DoctorView() {}

    public static String of(DoctorReport report) {
        StringBuilder text = new StringBuilder();
        for (Check check : report.checks()) {
            add(text, check.health().text(), PlainText.line(check.name()), PlainText.line(check.found()));
            if (!check.advice().isEmpty()) {
                add(text, "", "", "-> " + PlainText.line(check.advice()));
            }
        }
        return text.append(summary(report)).append(System.lineSeparator()).toString();
    }

    private static void add(StringBuilder text, String health, String name, String value) {
        text.append(String.format(
                Locale.ROOT, "%-" + WIDTH_OF_HEALTH + "s%-" + WIDTH_OF_NAME + "s %s", health, name, value));
        text.append(System.lineSeparator());
    }

    private static String summary(DoctorReport report) {
        long errors = count(report, Health.ERROR);
        long warnings = count(report, Health.WARNING);
        return "node " + report.node() + ": " + (errors == 0 ? "ready" : "not ready") + ", " + errors
                + (errors == 1 ? " error, " : " errors, ") + warnings + (warnings == 1 ? " warning" : " warnings");
    }

    private static long count(DoctorReport report, Health health) {
        return report.checks().stream()
                .filter(check -> check.health() == health)
                .count();
    }
}
