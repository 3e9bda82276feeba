/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where an agent listens for browsers or a metrics system.
 *
 * @param host an address of this machine, or a name of one; the loopback address by default
 * @param port 0 = any that is free
 */
public record ListenAddress(String host, int port) {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int MAX_PORT = 65_535;
    private static final String EXPECTED = "[HOST:]PORT, with a port from 0 to " + MAX_PORT + "; 0 is any free one";
    private static final Pattern FORM =
            Pattern.compile("(?:(\\[[0-9A-Fa-f:.]+(?:%[\\w.-]+)?]|[^:\\[\\]\\s/]+):)?(\\d{1,5})");

    public ListenAddress {
        Objects.requireNonNull(host, "host");
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException(EXPECTED);
        }
    }

    /** @throws IllegalArgumentException that states what is expected */
    public static ListenAddress parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        String host = matcher.group(1) == null ? LOOPBACK : matcher.group(1);
        return new ListenAddress(host.replace("[", "").replace("]", ""), Integer.parseInt(matcher.group(2)));
    }

    /** In the form that {@link #parse} reads. */
    public String text() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    public ListenAddress withPort(int bound) {
        return new ListenAddress(host, bound);
    }
}
