/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.scheduler;

import dev.elasticrun.cli.text.PlainText;
import dev.elasticrun.scheduler.JobStatus;
import dev.elasticrun.scheduler.JobSummary;
import java.util.ArrayList;
import java.util.List;

/** Jobs as text for a terminal. Pure. */
public final class JobText {
    private static final String NOWHERE = "-";
    private static final int GAP = 2;

    private JobText() {}

    /** A job and its parts. */
    public static String status(JobAddress address, JobStatus status) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("PART", "HOST", "STATE", "RESTARTS", "REASON"));
        for (JobStatus.Part part : status.parts()) {
            rows.add(List.of(
                    part.id(),
                    part.host().isEmpty() ? NOWHERE : part.host(),
                    part.state(),
                    Integer.toString(part.restarts()),
                    part.reason()));
        }
        JobSummary job = status.job();
        return PlainText.line("job " + address + " " + job.name() + ": " + job.state() + ", agents on " + job.nodes()
                        + " of " + job.wanted() + " nodes, run " + status.runId())
                + "\n" + table(rows);
    }

    /**
     * Several jobs.
     *
     * @param scheduler that has them
     */
    public static String list(String scheduler, List<JobSummary> jobs) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("JOB", "NAME", "STATE", "NODES"));
        for (JobSummary job : jobs) {
            rows.add(List.of(
                    new JobAddress(scheduler, job.id()).toString(),
                    job.name(),
                    job.state(),
                    job.nodes() + " of " + job.wanted()));
        }
        return table(rows);
    }

    private static String table(List<List<String>> rows) {
        List<List<String>> plain = rows.stream()
                .map(row -> row.stream().map(PlainText::line).toList())
                .toList();
        StringBuilder text = new StringBuilder();
        for (List<String> row : plain) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                line.append(cell).append(" ".repeat(width(plain, column) - cell.length() + GAP));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
