/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.LoggedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The workers of one node around the death of one of them, a lane for each, from the agent's events: SVG. Pure. */
final class TimelinePicture {
    private static final int WIDTH = 840;
    private static final int LEFT = 80;
    private static final int RIGHT = WIDTH - 16;
    private static final int TOP = 58;
    private static final int LANE = 32;
    private static final int BAR = 24;
    private static final List<Integer> TICKS = List.of(250, 500, 1000, 2000, 5000);
    private static final int MOST_TICKS = 10;
    /** What the text of a round takes. */
    private static final int LABEL = 125;

    private static final long NANOS_PER_MILLI = 1_000_000;
    /** A bar that is narrower has no room for the number of its process. */
    private static final int ROOM = 70;

    private final List<Bar> bars = new ArrayList<>();
    private final List<LoggedEvent> events;
    private final long killNanos;
    private final long startNanos;
    private final long endNanos;
    private final Colours colours;
    private final StringBuilder svg = new StringBuilder();

    /** Of text, lines and phases. */
    record Colours(String text, String line, String starting, String working, String stalled, String dead) {
        static final Colours LIGHT = new Colours("#24292f", "#d0d7de", "#a8c5e8", "#4f9d69", "#e3b341", "#cf222e");
        static final Colours DARK = new Colours("#c9d1d9", "#444c56", "#3b6ea8", "#347d4a", "#ae7c14", "#f85149");
    }

    private enum Phase {
        STARTING,
        WORKING,
        STALLED
    }

    private record Bar(long slot, long pid, Phase phase, long from, long to) {
        Bar until(long nanos) {
            return new Bar(slot, pid, phase, from, nanos);
        }
    }

    private TimelinePicture(List<LoggedEvent> events, long killNanos, long endNanos, Colours colours) {
        this.events = events;
        this.killNanos = killNanos;
        this.startNanos = killNanos - (endNanos - killNanos) / 4;
        this.endNanos = endNanos;
        this.colours = colours;
    }

    /**
     * @param events of a node whose workers all work in the end
     * @param killNanos when the signal was sent; zero of the time axis
     * @param endNanos how far the lanes go
     */
    static String svg(List<LoggedEvent> events, long killNanos, long endNanos, Colours colours) {
        return new TimelinePicture(events, killNanos, endNanos, colours).draw();
    }

    private String draw() {
        fold();
        int bottom = TOP + lanes() * LANE;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\" fill=\"%s\">",
                WIDTH, bottom + 56, colours.text());
        rounds(bottom);
        bars.forEach(this::bar);
        for (int lane = 0; lane < lanes(); lane++) {
            add("<text x=\"8\" y=\"%d\">worker %d</text>", TOP + lane * LANE + 16, lane);
        }
        events.stream().filter(event -> event.is("worker.exited")).forEach(this::death);
        axis(bottom);
        legend(bottom + 46);
        add("</svg>");
        return svg.toString();
    }

    private void fold() {
        Map<Long, Bar> open = new TreeMap<>();
        for (LoggedEvent event : events) {
            long slot = event.number("slot");
            switch (event.kind()) {
                case "worker.started" ->
                    open.put(slot, new Bar(slot, event.number("pid"), Phase.STARTING, event.nanos(), endNanos));
                case "worker.resumed" -> change(open, slot, Phase.WORKING, AgentLog.workerNanos(event));
                case "worker.exited" -> {
                    Bar dead = open.remove(slot);
                    if (dead != null) {
                        bars.add(dead.until(event.nanos()));
                    }
                    stall(open, event.nanos());
                }
                case "incident.paused" -> stall(open, event.nanos());
                default -> {}
            }
        }
        bars.addAll(open.values());
    }

    /** Those that work: their operations stop. */
    private void stall(Map<Long, Bar> open, long nanos) {
        List.copyOf(open.values()).stream()
                .filter(bar -> bar.phase() == Phase.WORKING)
                .forEach(bar -> change(open, bar.slot(), Phase.STALLED, nanos));
    }

    private void change(Map<Long, Bar> open, long slot, Phase phase, long nanos) {
        @Nullable Bar before = open.get(slot);
        if (before != null) {
            bars.add(before.until(nanos));
            open.put(slot, new Bar(slot, before.pid(), phase, nanos, endNanos));
        }
    }

    private int lanes() {
        return (int) bars.stream().mapToLong(Bar::slot).max().orElse(-1) + 1;
    }

    /** Where each one begins, with its number of workers. */
    private void rounds(int bottom) {
        List<LoggedEvent> published =
                events.stream().filter(event -> event.is("work.published")).toList();
        for (int i = 0; i < published.size(); i++) {
            LoggedEvent round = published.get(i);
            double from = x(round.nanos());
            boolean isLast = i + 1 == published.size();
            if (isLast || x(published.get(i + 1).nanos()) > LEFT) {
                add(
                        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"/>",
                        from, from, TOP - 26, bottom, colours.line());
                add(
                        "<text x=\"%.1f\" y=\"%d\">round %d: %d workers</text>",
                        Math.min(from + 4, RIGHT - LABEL), TOP - 14, round.round(), round.number("world_size"));
            }
        }
    }

    private void bar(Bar bar) {
        double from = x(bar.from());
        double width = x(bar.to()) - from;
        if (width <= 0) {
            return;
        }
        int y = TOP + (int) bar.slot() * LANE;
        add(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                from, y, width, BAR, colour(bar.phase()));
        if (width > ROOM) {
            add("<text x=\"%.1f\" y=\"%d\">pid %d</text>", from + 6, y + 16, bar.pid());
        }
    }

    private void death(LoggedEvent event) {
        double x = x(event.nanos());
        int y = TOP + (int) event.number("slot") * LANE;
        add(
                "<path d=\"M%.1f %d l12 %d m0 -%d l-12 %d\" stroke=\"%s\" stroke-width=\"3\"/>",
                x - 6, y + 4, BAR - 8, BAR - 8, BAR - 8, colours.dead());
    }

    private void axis(int bottom) {
        add(
                "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"/>",
                LEFT, RIGHT, bottom + 2, bottom + 2, colours.line());
        long before = (killNanos - startNanos) / NANOS_PER_MILLI;
        long after = (endNanos - killNanos) / NANOS_PER_MILLI;
        int tick = TICKS.stream()
                .filter(step -> (before + after) / step <= MOST_TICKS)
                .findFirst()
                .orElse(TICKS.get(TICKS.size() - 1));
        for (long millis = -(before / tick) * tick; millis <= after - tick / 3; millis += tick) {
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x(killNanos + millis * NANOS_PER_MILLI), bottom + 18, millis == 0 ? "kill" : millis + " ms");
        }
    }

    private void legend(int y) {
        int x = LEFT;
        for (Phase phase : Phase.values()) {
            add(
                    "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>",
                    x, y - 11, colour(phase), x + 18, y, phase.name().toLowerCase(Locale.ROOT));
            x += 110;
        }
    }

    private String colour(Phase phase) {
        return switch (phase) {
            case STARTING -> colours.starting();
            case WORKING -> colours.working();
            case STALLED -> colours.stalled();
        };
    }

    private double x(long nanos) {
        double share = (double) (nanos - startNanos) / (endNanos - startNanos);
        return LEFT + (RIGHT - LEFT) * Math.min(1, Math.max(0, share));
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
