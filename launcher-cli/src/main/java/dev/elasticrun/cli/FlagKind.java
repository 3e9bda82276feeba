/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.CpuBinding;
import dev.elasticrun.agent.DrainSignal;
import dev.elasticrun.agent.ListenAddress;
import dev.elasticrun.agent.RendezvousBackend;
import dev.elasticrun.agent.StateLoss;
import dev.elasticrun.agent.StreamMap;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What the value of a flag is.
 *
 * @param parse from the command line; throws as {@link FlagValues} does
 * @param print the reverse
 * @param join the text that a list in a file stands for; throws as {@link FlagValues} does
 */
record FlagKind<T>(Function<String, T> parse, Function<T, String> print, Function<List<String>, String> join) {
    static final FlagKind<String> TEXT = new FlagKind<>(text -> text, text -> text);
    static final FlagKind<String> SEARCH_PATH =
            new FlagKind<>(text -> text, text -> text, items -> String.join(File.pathSeparator, items));
    static final FlagKind<Path> PATH = new FlagKind<>(FlagValues::path, Path::toString);
    static final FlagKind<Duration> TIME = new FlagKind<>(FlagValues::duration, FlagValues::text);
    static final FlagKind<Long> SIZE = new FlagKind<>(FlagValues::size, FlagValues::text);
    static final FlagKind<FlagValues.Nodes> NODES = new FlagKind<>(FlagValues::nodes, FlagValues::text);
    static final FlagKind<Integer> NPROC =
            new FlagKind<>(text -> FlagValues.nproc(text, Runtime.getRuntime().availableProcessors()), String::valueOf);
    static final FlagKind<RendezvousBackend> BACKEND = new FlagKind<>(FlagValues::backend, FlagValues::text);
    static final FlagKind<StateLoss> STATE_LOSS = new FlagKind<>(FlagValues::stateLoss, StateLoss::text);
    static final FlagKind<CpuBinding> BINDING = new FlagKind<>(FlagValues::binding, CpuBinding::text);
    static final FlagKind<ListenAddress> LISTEN = new FlagKind<>(ListenAddress::parse, ListenAddress::text);
    static final FlagKind<StreamMap> STREAMS = new FlagKind<>(StreamMap::parse, StreamMap::text, FlagValues::joined);
    static final FlagKind<List<String>> WORDS =
            new FlagKind<>(FlagValues::words, FlagValues::quoted, FlagValues::quoted);
    static final FlagKind<List<String>> TEXTS =
            new FlagKind<>(FlagValues::texts, FlagValues::joinedTexts, FlagValues::joinedTexts);
    static final FlagKind<List<String>> ENDPOINTS =
            new FlagKind<>(FlagValues::endpoints, FlagValues::joined, FlagValues::joined);
    static final FlagKind<List<DrainSignal>> SIGNALS =
            new FlagKind<>(FlagValues::signals, FlagValues::joined, FlagValues::joined);
    static final FlagKind<List<Integer>> EXIT_CODES =
            new FlagKind<>(FlagValues::exitCodes, FlagValues::joined, FlagValues::joined);
    static final FlagKind<Set<Integer>> RANKS = new FlagKind<>(
            FlagValues::ranks,
            ranks -> FlagValues.joined(ranks.stream().sorted().toList()),
            FlagValues::joined);

    /** One value, which no list can stand for. */
    FlagKind(Function<String, T> parse, Function<T, String> print) {
        this(parse, print, items -> {
            throw new IllegalArgumentException("one value");
        });
    }

    /** @param expected what a text that is no number should have been */
    static FlagKind<Integer> number(String expected) {
        return new FlagKind<>(text -> FlagValues.number(text, expected), String::valueOf);
    }
}
