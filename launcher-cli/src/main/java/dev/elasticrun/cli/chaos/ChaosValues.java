/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.cli.chaos.fault.FaultKind;
import dev.elasticrun.cli.chaos.fault.NetFaults;
import dev.elasticrun.cli.chaos.fault.Weather;
import dev.elasticrun.cli.chaos.report.GoodputForecast;
import dev.elasticrun.cli.options.UsageException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/** Converts the texts of flags to {@link ChaosOptions}; collects what is wrong with them. Pure. */
public final class ChaosValues {
    public static final String FAULTS = "--faults";
    public static final String EVERY = "--every";
    public static final String FOR = "--for";
    public static final String SEED = "--seed";
    public static final String CALM = "--calm";
    public static final String AGENTS = "--agents";
    public static final String REPLACE_AFTER = "--replace-after";
    public static final String OUTPUT = "--output";
    public static final String COMPARE = "--compare";
    public static final String MIN_GOODPUT = "--min-goodput";
    public static final String FORECAST = "--forecast";
    public static final String NET = "--net";

    public static final String DEFAULT_FAULTS = Weather.DEFAULT_WEIGHTS;
    public static final String DEFAULT_EVERY = "2s";
    public static final String DEFAULT_FOR = "10m";
    public static final String DEFAULT_CALM = "30s";
    private static final Duration SHORTEST_EVERY = Duration.ofMillis(100);
    private static final Duration SHORTEST_CALM = Duration.ofSeconds(2);
    public static final int PARTITION_WEIGHT = 5;
    private static final int MOST_AGENTS = 64;
    private static final Pattern SEED_TEXT = Pattern.compile("\\d{1,18}");
    private static final Pattern SHARE = Pattern.compile("0(\\.\\d{1,6})?|1(\\.0{1,6})?");

    private final Function<String, Optional<String>> given;
    private final List<String> violations = new ArrayList<>();

    private ChaosValues(Function<String, Optional<String>> given) {
        this.given = given;
    }

    /**
     * The options, or what is wrong with them.
     *
     * @param given the text of a flag
     * @param randomSeed used when no seed is given
     * @param violations receives a line for each value that is wrong; the options are of use only if there is none
     */
    public static ChaosOptions parse(
            Function<String, Optional<String>> given, LongSupplier randomSeed, List<String> violations) {
        ChaosValues values = new ChaosValues(given);
        ChaosOptions options = values.options(randomSeed);
        violations.addAll(values.violations);
        return options;
    }

    private ChaosOptions options(LongSupplier randomSeed) {
        NetFaults net = given.apply(NET).isEmpty() ? NetFaults.NONE : value(NET, "", NetFaults::of, NetFaults.NONE);
        long seed = given.apply(SEED).isEmpty() ? randomSeed.getAsLong() : value(SEED, "", ChaosValues::seed, 0L);
        return new ChaosOptions(
                new Weather(
                        weights(net),
                        time(EVERY, DEFAULT_EVERY, SHORTEST_EVERY),
                        time(FOR, DEFAULT_FOR, Duration.ofSeconds(1)),
                        seed),
                net,
                time(CALM, DEFAULT_CALM, SHORTEST_CALM),
                value(AGENTS, "", ChaosValues::agents, 0),
                time(REPLACE_AFTER, "0s", Duration.ZERO),
                Optional.ofNullable(value(OUTPUT, "", ChaosValues::path, Optional.<Path>empty()))
                        .flatMap(Function.identity()),
                given.apply(COMPARE).filter(this::isCommand),
                value(MIN_GOODPUT, "0", ChaosValues::share, 0.0),
                value(FORECAST, "", ChaosValues::cases, GoodputForecast.DEFAULTS));
    }

    private Map<FaultKind, Integer> weights(NetFaults net) {
        Map<FaultKind, Integer> weights = value(FAULTS, DEFAULT_FAULTS, Weather::weightsOf, Map.of());
        boolean isNamed = weights.containsKey(FaultKind.PARTITION);
        if (isNamed && !net.hasPartitions() && isValid(NET)) {
            violate(FAULTS, given.apply(FAULTS).orElse(""), "partition=N only with " + NET + " partition=TIME");
        }
        if (isNamed || !net.hasPartitions() || weights.isEmpty()) {
            return weights;
        }
        Map<FaultKind, Integer> all = new EnumMap<>(weights);
        all.put(FaultKind.PARTITION, PARTITION_WEIGHT);
        return all;
    }

    // What is wrong with one flag is not held against another one.
    private boolean isValid(String flag) {
        return violations.stream().noneMatch(violation -> violation.startsWith(flag + ":"));
    }

    private boolean isCommand(String text) {
        if (text.isBlank()) {
            violate(COMPARE, "'" + text + "'", "a shell command that prints the result of a run");
        }
        return !text.isBlank();
    }

    private Duration time(String flag, String fallback, Duration shortest) {
        Duration value = value(flag, fallback, SettingTexts::duration, shortest);
        if (value.compareTo(shortest) < 0) {
            violate(flag, given.apply(flag).orElse(fallback), "at least " + SettingTexts.text(shortest));
        }
        return value;
    }

    private <T> T value(String flag, String fallback, Function<String, T> parser, T onError) {
        String text = given.apply(flag).orElse(fallback);
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            violate(flag, text, String.valueOf(e.getMessage()));
            return onError;
        }
    }

    private void violate(String flag, String value, String expected) {
        violations.addAll(UsageException.of(flag, value, expected).violations());
    }

    private static long seed(String text) {
        if (!SEED_TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException("a number from 0, of at most 18 digits");
        }
        return Long.parseLong(text);
    }

    private static int agents(String text) {
        String expected = "a number of agents from 1 to " + MOST_AGENTS;
        if (text.isEmpty()) {
            return 0;
        }
        int agents = SettingTexts.number(text, expected);
        if (agents < 1 || agents > MOST_AGENTS) {
            throw new IllegalArgumentException(expected);
        }
        return agents;
    }

    private static Optional<Path> path(String text) {
        try {
            return Optional.of(text).filter(given -> !given.isEmpty()).map(Path::of);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("a directory that is empty, or can be created", e);
        }
    }

    private static double share(String text) {
        if (!SHARE.matcher(text).matches()) {
            throw new IllegalArgumentException("a share from 0 to 1, such as 0.8");
        }
        return Double.parseDouble(text);
    }

    /** {@code mtbf=TIME,nodes=N}; an empty text is the default table. */
    static List<GoodputForecast.Case> cases(String text) {
        if (text.isEmpty()) {
            return GoodputForecast.DEFAULTS;
        }
        String expected = "mtbf=TIME,nodes=N, the mean time between two failures of one node and how many there are";
        List<String> parts = Arrays.asList(text.split(",", -1));
        if (parts.size() != 2
                || !parts.get(0).startsWith("mtbf=")
                || !parts.get(1).startsWith("nodes=")) {
            throw new IllegalArgumentException(expected);
        }
        Duration mtbf = SettingTexts.duration(parts.get(0).substring("mtbf=".length()));
        int nodes = SettingTexts.number(parts.get(1).substring("nodes=".length()), expected);
        if (mtbf.isZero() || nodes < 1) {
            throw new IllegalArgumentException(expected);
        }
        return List.of(new GoodputForecast.Case(mtbf, nodes));
    }
}
