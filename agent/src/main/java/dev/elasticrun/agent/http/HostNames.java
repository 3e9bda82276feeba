/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Decides by which host names a browser may call this server. A foreign site can point its own name at our address, and
 * its scripts then call us as if we were that site; the name in the request still shows it ({@code Host}). An IP
 * address cannot be redirected so, and is accepted.
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
