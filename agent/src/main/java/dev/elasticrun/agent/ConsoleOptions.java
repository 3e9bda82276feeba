/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What of workers' output is on this process's standard output and error. Pure.
 *
 * @param shown whether any is
 * @param givenTee see {@link #tee}
 * @param redirects what is only in the logs, of what would be on the console by default
 * @param prefix template of what is before each line
 * @param localRanks whose output can be on the console; empty = everybody's
 */
public record ConsoleOptions(
        boolean shown, @Nullable StreamMap givenTee, StreamMap redirects, String prefix, Set<Integer> localRanks) {
    static final ConsoleOptions DEFAULT =
            new ConsoleOptions(true, null, StreamMap.NONE, LogPrefix.DEFAULT.template(), Set.of());

    /** Throws IllegalArgumentException if the prefix has a variable that there is not. */
    public ConsoleOptions {
        LogPrefix.check(prefix);
        Objects.requireNonNull(redirects, "redirects");
        localRanks = Set.copyOf(localRanks);
    }

    /** What is on the console; empty = standard error of all, and standard output of rank 0. */
    public Optional<StreamMap> tee() {
        return Optional.ofNullable(givenTee);
    }

    /** Whether standard output of the worker belongs on the console now. */
    boolean showsStdout(int localRank, boolean isRankZero) {
        return canShow(localRank)
                && (givenTee == null
                        ? isRankZero && !redirects.of(localRank).out()
                        : givenTee.of(localRank).out());
    }

    /** Whether standard error of the worker belongs on the console. */
    boolean showsStderr(int localRank) {
        return canShow(localRank)
                && (givenTee == null
                        ? !redirects.of(localRank).err()
                        : givenTee.of(localRank).err());
    }

    private boolean canShow(int localRank) {
        return localRanks.isEmpty() || localRanks.contains(localRank);
    }

    /** Local ranks that are named anywhere. */
    Set<Integer> namedRanks() {
        Set<Integer> named = new TreeSet<>(localRanks);
        named.addAll(redirects.localRanks());
        tee().ifPresent(map -> named.addAll(map.localRanks()));
        return named;
    }

    ConsoleOptions withShown(boolean value) {
        return new ConsoleOptions(value, givenTee, redirects, prefix, localRanks);
    }

    ConsoleOptions withTee(StreamMap value) {
        return new ConsoleOptions(shown, value, redirects, prefix, localRanks);
    }

    ConsoleOptions withRedirects(StreamMap value) {
        return new ConsoleOptions(shown, givenTee, value, prefix, localRanks);
    }

    ConsoleOptions withPrefix(String value) {
        return new ConsoleOptions(shown, givenTee, redirects, value, localRanks);
    }

    ConsoleOptions withLocalRanks(Set<Integer> value) {
        return new ConsoleOptions(shown, givenTee, redirects, prefix, value);
    }
}
