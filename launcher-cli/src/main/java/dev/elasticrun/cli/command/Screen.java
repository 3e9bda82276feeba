/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.log.Terminal;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where standard output goes: a terminal with its size, which can be drawn anew, or anything else, which is only written. */
final class Screen {
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_REST = "\u001b[J";
    private static final int DEFAULT_WIDTH = 120;

    /** @param rows 0 = no terminal, or not known */
    private record Size(int rows, int columns) {}

    private final PrintStream out;
    private final Map<String, String> environment;
    private final boolean isTerminal;

    Screen(PrintStream out, Map<String, String> environment) {
        this.out = out;
        this.environment = environment;
        this.isTerminal = isTerminal();
    }

    /** Columns of the terminal now, else of the variable COLUMNS, else a usual number. */
    int width() {
        return size().columns();
    }

    /** Shows a text in the place of the one before; lines that do not fit are left out and counted. */
    void show(String text) {
        Size size = size();
        if (!isTerminal || size.rows() < 2) {
            out.print(text);
            out.println();
            out.flush();
            return;
        }
        List<String> lines = text.lines().toList();
        int fit = size.rows() - 1;
        StringBuilder drawn = new StringBuilder(HOME);
        int shown = lines.size() <= fit ? lines.size() : fit - 1;
        lines.subList(0, shown)
                .forEach(line -> drawn.append(line).append(CLEAR_LINE).append("\r\n"));
        if (shown < lines.size()) {
            drawn.append("... and ")
                    .append(lines.size() - shown)
                    .append(" lines more")
                    .append(CLEAR_LINE);
        }
        out.print(drawn.append(CLEAR_REST));
        out.flush();
    }

    static boolean isTerminal() {
        return Terminal.is(Terminal.OUTPUT);
    }

    private Size size() {
        return (isTerminal ? ask() : Optional.<Size>empty()).orElseGet(() -> new Size(0, columns()));
    }

    private int columns() {
        try {
            return Integer.parseInt(environment.getOrDefault("COLUMNS", ""));
        } catch (NumberFormatException unknown) {
            return DEFAULT_WIDTH;
        }
    }

    // Java has no API for the size of a terminal.
    private static Optional<Size> ask() {
        try {
            Process stty = new ProcessBuilder("stty", "-F", "/dev/tty", "size")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim();
            String[] numbers = answer.split(" ", 2);
            return stty.waitFor() == 0 && numbers.length == 2
                    ? Optional.of(new Size(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1])))
                    : Optional.empty();
        } catch (IOException | NumberFormatException none) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
