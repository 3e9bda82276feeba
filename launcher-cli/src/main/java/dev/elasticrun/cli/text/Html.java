/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.text;

/** Pages of HTML that need nothing but themselves. Pure. */
public final class Html {
    /** Colours of text and grounds by the reader's preference, and the shape of panels. */
    private static final String STYLE = """
            :root { color-scheme: light dark; --ground: #f6f7f8; --panel: #fff; --text: #16191d; --soft: #505862;
              --line: #d5dade; font: 16px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
            @media (prefers-color-scheme: dark) { :root { --ground: #111417; --panel: #1a1f24; --text: #e9edf1;
              --soft: #a7b0ba; --line: #353d45; } }
            body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--ground); color: var(--text); }
            h1 { font-size: 1.25rem; } h2 { font-size: 1.05rem; margin-top: 1.6rem; }
            pre, .panel { background: var(--panel); border: 1px solid var(--line); border-radius: .4rem;
              padding: .8rem; overflow-x: auto; }
            svg { width: 100%; height: auto; display: block; } text { fill: var(--soft); font-size: 12px; }
            """;

    private Html() {}

    /**
     * A whole page.
     *
     * @param title also its heading
     * @param style more CSS
     * @param body after the heading
     */
    public static String page(String title, String style, String body) {
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" + escaped(title)
                + "</title>\n<style>\n" + STYLE + style + "</style>\n</head>\n<body>\n<h1>" + escaped(title) + "</h1>\n"
                + body + "</body>\n</html>\n";
    }

    /** As text of an element, or in the quotes of an attribute. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
