/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.soak;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What was held over a soak, a small picture for each kind, over the events written: SVG. Pure. */
final class SoakPlot {
    private static final int WIDTH = 900;
    private static final int ACROSS = 3;
    private static final int PANEL = WIDTH / ACROSS;
    private static final int HEIGHT = 150;
    private static final int TOP = 40;
    private static final int LEFT = 58;
    private static final List<String> COLOURS = List.of("#3b6ea8", "#e08a1e");
    private static final List<Panel> PANELS = List.of(
            new Panel("heap after collection, MB", 1e3, "a_heap_kb", "b_heap_kb"),
            new Panel("resident memory, MB", 1e3, "a_rss_kb", "b_rss_kb"),
            new Panel("open descriptors", 1, "a_descriptors", "b_descriptors"),
            new Panel("threads", 1, "a_threads", "b_threads"),
            new Panel("events.jsonl, all parts, MB", 1e6, "a_event_bytes", "b_event_bytes"),
            new Panel("logs of workers, MB", 1e6, "a_worker_log_bytes", "b_worker_log_bytes"),
            new Panel("standard error of the agent, MB", 1e6, "a_console_bytes", "b_console_bytes"),
            new Panel("run directory, MB", 1e6, "a_run_directory_bytes", "b_run_directory_bytes"),
            new Panel("checkpoint directory, MB", 1e6, "checkpoint_bytes"),
            new Panel("keys in etcd", 1, "etcd_keys"),
            new Panel("etcd, bytes in use, MB", 1e6, "etcd_bytes_in_use"));

    private final List<Sample> samples;
    private final StringBuilder svg = new StringBuilder();

    private record Panel(String title, double unit, List<String> columns) {
        Panel(String title, double unit, String... columns) {
            this(title, unit, List.of(columns));
        }
    }

    private SoakPlot(List<Sample> samples) {
        this.samples = samples;
    }

    static String svg(List<Sample> samples) {
        return new SoakPlot(samples).draw();
    }

    private String draw() {
        int height = TOP + (PANELS.size() + ACROSS - 1) / ACROSS * HEIGHT;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\">",
                WIDTH, height, WIDTH, height);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", WIDTH, height);
        Sample last = samples.get(samples.size() - 1);
        add(
                "<text x=\"12\" y=\"22\" font-size=\"14\">Two agents over %d rounds and %d events, %d minutes;"
                        + " over the events written</text>",
                last.round(), last.events(), last.seconds() / 60);
        for (int i = 0; i < PANELS.size(); i++) {
            panel(PANELS.get(i), i % ACROSS * PANEL, TOP + i / ACROSS * HEIGHT);
        }
        add("</svg>");
        return svg.toString();
    }

    private void panel(Panel panel, int x, int y) {
        double top = 1.15
                * samples.stream()
                        .flatMap(sample -> panel.columns().stream().map(sample::value))
                        .mapToLong(value -> value)
                        .max()
                        .orElse(1);
        top = top == 0 ? 1 : top;
        int right = x + PANEL - 14;
        int bottom = y + HEIGHT - 24;
        int height = HEIGHT - 50;
        add("<text x=\"%d\" y=\"%d\">%s</text>", x + LEFT, y + 14, panel.title());
        for (int i = 0; i <= 2; i++) {
            double line = bottom - height * i / 2.0;
            add(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
                    x + LEFT, right, line, line, i == 0 ? "#444" : "#ddd");
            add(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    x + LEFT - 5, line + 4, figure(top * i / 2 / panel.unit()));
        }
        long most = Math.max(1, samples.get(samples.size() - 1).events());
        for (int i = 0; i < panel.columns().size(); i++) {
            String column = panel.columns().get(i);
            double scale = top;
            String points = samples.stream()
                    .map(sample -> String.format(
                            Locale.ROOT,
                            "%.1f,%.1f",
                            x + LEFT + (double) (right - x - LEFT) * sample.events() / most,
                            bottom - height * sample.value(column) / scale))
                    .collect(Collectors.joining(" "));
            add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>", points, COLOURS.get(i));
        }
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, value >= 100 || value == 0 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
