/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HOST:PORT, where HOST may be an IPv6 address in brackets. */
public record Endpoint(String host, int port) {
    private static final Pattern FORM =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+(?:%[\\w.-]+)?]|[^:\\[\\]\\s/]+):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    /** In the form that {@link #parse} reads. */
    public String text() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    public static Optional<Endpoint> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int port = Integer.parseInt(matcher.group(2));
        String host = matcher.group(1).replace("[", "").replace("]", "");
        return port >= 1 && port <= MAX_PORT ? Optional.of(new Endpoint(host, port)) : Optional.empty();
    }
}
