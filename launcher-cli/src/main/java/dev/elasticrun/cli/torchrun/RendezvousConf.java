/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.torchrun;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** {@code --rdzv-conf}: keys and values that torchrun hands to its rendezvous backend. Pure. */
final class RendezvousConf {
    private static final Map<String, Setting<?>> COUNTERPARTS = Map.ofEntries(
            Map.entry("join_timeout", Settings.JOIN_TIMEOUT),
            Map.entry("timeout", Settings.JOIN_TIMEOUT),
            Map.entry("last_call_timeout", Settings.LAST_CALL_TIMEOUT),
            Map.entry("keep_alive_interval", Settings.HEARTBEAT_INTERVAL),
            Map.entry("read_timeout", Settings.FIRST_CONTACT_TIMEOUT),
            Map.entry("rank", Settings.NODE_RANK),
            Map.entry("ca_cert", Settings.ETCD_CA),
            Map.entry("cacert", Settings.ETCD_CA),
            Map.entry("ssl_cert", Settings.ETCD_CERT),
            Map.entry("cert", Settings.ETCD_CERT),
            Map.entry("ssl_cert_key", Settings.ETCD_KEY),
            Map.entry("key", Settings.ETCD_KEY));
    private static final Map<String, String> WITHOUT_EFFECT = Map.of(
            "close_timeout", "a run is closed with its last round",
            "heartbeat_timeout", "a lease that cannot be renewed in time ends, see --lease-ttl",
            "store_type", "an embedded store is served by an agent over TCP",
            "is_host", "the node whose address is in --rdzv-endpoint serves the store",
            "protocol", "connections to an etcd use TLS by --etcd-ca",
            "etcd_prefix", "keys of the run are below /elastic-run/");
    private static final String INTERVAL = "keep_alive_interval";
    private static final String ATTEMPTS = "keep_alive_max_attempt";
    private static final int USUAL_INTERVAL = 5;
    private static final int USUAL_ATTEMPTS = 3;
    private static final Pattern WHOLE = Pattern.compile("\\d{1,6}");
    // Settings that are a time; torchrun's values may have a fraction.
    private static final Set<String> TIMES =
            Set.of("join_timeout", "timeout", "last_call_timeout", INTERVAL, "read_timeout");

    private RendezvousConf() {}

    static Translation translate(String text) {
        Map<String, String> pairs = pairs(text);
        Translation translation = Translation.NOTHING;
        for (Map.Entry<String, String> pair : pairs.entrySet()) {
            String key = pair.getKey();
            Setting<?> counterpart = COUNTERPARTS.get(key);
            if (key.equals("timeout") && pairs.containsKey("join_timeout")) {
                translation = translation.ignoring(shown(key) + ": no effect beside join_timeout");
            } else if (counterpart != null) {
                String value = TIMES.contains(key) ? time(key, pair.getValue()) : pair.getValue();
                translation = translation.with(counterpart, value).noting(shown(key) + " is " + counterpart.option());
            } else if (!key.equals(ATTEMPTS)) {
                String reason =
                        WITHOUT_EFFECT.getOrDefault(key, "no such key is known here, nor to most backends of torchrun");
                translation = translation.ignoring(shown(key) + ": no effect, " + reason);
            }
        }
        return pairs.containsKey(INTERVAL) || pairs.containsKey(ATTEMPTS) ? lease(pairs, translation) : translation;
    }

    /** A node counts as lost when so many heartbeats in a row did not come. */
    private static Translation lease(Map<String, String> pairs, Translation translation) {
        double interval = seconds(INTERVAL, pairs.getOrDefault(INTERVAL, Integer.toString(USUAL_INTERVAL)));
        String attempts = pairs.getOrDefault(ATTEMPTS, Integer.toString(USUAL_ATTEMPTS));
        if (!WHOLE.matcher(attempts).matches()) {
            throw new IllegalArgumentException(ATTEMPTS + " as a whole number");
        }
        return translation
                .with(Settings.LEASE_TTL, millis(interval * Integer.parseInt(attempts)))
                .noting(shown(ATTEMPTS) + " times keep_alive_interval is --lease-ttl");
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String part : text.isBlank() ? List.<String>of() : List.of(text.split(",", -1))) {
            String[] sides = part.strip().split("=", 2);
            if (sides.length < 2 || sides[0].isBlank() || sides[1].isBlank()) {
                throw new IllegalArgumentException("KEY=VALUE pairs separated by ','");
            }
            pairs.put(sides[0].strip(), sides[1].strip());
        }
        return pairs;
    }

    private static String time(String key, String text) {
        return millis(seconds(key, text));
    }

    private static double seconds(String key, String text) {
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0 && seconds < Integer.MAX_VALUE) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + " as a number of seconds", e);
        }
        throw new IllegalArgumentException(key + " as a number of seconds, 0 or more");
    }

    private static String millis(double seconds) {
        long millis = Math.round(seconds * 1000);
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }

    private static String shown(String key) {
        return "--rdzv-conf " + key;
    }
}
