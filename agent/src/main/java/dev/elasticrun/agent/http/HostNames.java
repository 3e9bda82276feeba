/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * By which names a browser may call this server. A foreign site can have its own name lead to our address, and its
 * scripts then speak to us as if we were that site; the name in the request still tells ({@code Host}). An address
 * cannot be turned so, and is let in.
 */
public final class HostNames {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]+(%[\\w.%-]+)?]");
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");

    private final Set<String> names;

    private HostNames(Set<String> names) {
        this.names = names;
    }

    /** @param names of this machine; localhost is one in any case */
    public static HostNames of(Collection<String> names) {
        Set<String> all =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        all.add("localhost");
        return new HostNames(all);
    }

    /** @param header as it came; with or without a port */
    boolean admits(String header) {
        String host = PORT.matcher(header.strip().toLowerCase(Locale.ROOT)).replaceFirst("");
        return names.contains(host)
                || IPV4.matcher(host).matches()
                || IPV6.matcher(host).matches();
    }
}
