/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import dev.elasticrun.agent.decisions.Difference;
import dev.elasticrun.agent.decisions.Replayed;
import dev.elasticrun.cli.text.PlainText;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Decisions that were made again, as text. Pure. */
public final class ReplayView {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    private ReplayView() {}

    public static String of(long incident, List<Replayed> replayed, ZoneId zone) {
        Lines lines = new Lines();
        long same = replayed.stream().filter(Replayed::isSame).count();
        lines.add(
                "",
                "incident " + incident + ": " + same + " of " + replayed.size() + " decisions and waits are the same");
        for (Replayed one : replayed) {
            lines.add("  ", title(one, zone));
            lines.add("    known     ", one.known());
            lines.add("    policy    ", one.answers());
            lines.add("    decided   ", one.recorded());
            if (one.isSame()) {
                lines.add("    replayed  ", "same decision");
            } else {
                lines.add("    replayed  ", one.replayed());
                lines.add(
                        "    differs   ",
                        one.differences().stream().map(ReplayView::text).toList());
            }
        }
        return lines.toString();
    }

    private static String title(Replayed one, ZoneId zone) {
        String by = one.policy().equals(one.replayedBy()) ? "" : ", replayed by " + one.replayedBy();
        return TIME.format(one.stamp().time().atZone(zone)) + " " + (one.decides() ? "decision" : "wait") + " of "
                + one.stamp().node() + ", policy " + one.policy() + by;
    }

    private static String text(Difference difference) {
        return difference.field() + ": " + difference.recorded() + ", replayed: " + difference.replayed();
    }

    /** Lines with a name in front of the first of several. */
    private static final class Lines {
        private final StringBuilder text = new StringBuilder();

        void add(String name, String line) {
            text.append(name).append(PlainText.line(line)).append(System.lineSeparator());
        }

        void add(String name, List<String> several) {
            for (int i = 0; i < several.size(); i++) {
                add(i == 0 ? name : " ".repeat(name.length()), several.get(i));
            }
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
