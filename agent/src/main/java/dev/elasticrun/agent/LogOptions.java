/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the output of workers beside their logs. Pure.
 *
 * @param teeMap what is on the console; null = standard error of all, and standard output of rank 0
 * @param redirects what is only in the logs, of what would be on the console
 * @param prefix template of what is before each line on the console
 * @param localRanks whose output can be on the console; empty = everybody's
 * @param stdoutFilters texts whose lines are collected from all standard outputs
 * @param stderrFilters texts whose lines are collected from all standard errors
 * @param maxBytes size from which a log is rotated; 0 = never
 * @param maxFiles how many rotated parts of a log are kept
 */
record LogOptions(
        @Nullable StreamMap teeMap,
        StreamMap redirects,
        LogPrefix prefix,
        Set<Integer> localRanks,
        List<String> stdoutFilters,
        List<String> stderrFilters,
        long maxBytes,
        int maxFiles) {
    static final LogOptions DEFAULT =
            new LogOptions(null, StreamMap.NONE, LogPrefix.DEFAULT, Set.of(), List.of(), List.of(), 0, 10);

    LogOptions {
        localRanks = Set.copyOf(localRanks);
        stdoutFilters = List.copyOf(stdoutFilters);
        stderrFilters = List.copyOf(stderrFilters);
    }

    Optional<StreamMap> tee() {
        return Optional.ofNullable(teeMap);
    }

    /** Whether standard output of the worker belongs on the console now. */
    boolean showsStdout(int localRank, boolean isRankZero) {
        return shown(localRank)
                && (teeMap == null
                        ? isRankZero && !redirects.of(localRank).out()
                        : teeMap.of(localRank).out());
    }

    /** Whether standard error of the worker belongs on the console. */
    boolean showsStderr(int localRank) {
        return shown(localRank)
                && (teeMap == null
                        ? !redirects.of(localRank).err()
                        : teeMap.of(localRank).err());
    }

    private boolean shown(int localRank) {
        return localRanks.isEmpty() || localRanks.contains(localRank);
    }

    /** Whether somebody has to read the logs although there is no console. */
    boolean readsLogs() {
        return maxBytes > 0 || !stdoutFilters.isEmpty() || !stderrFilters.isEmpty();
    }

    /** Local ranks that are named anywhere. */
    Set<Integer> namedRanks() {
        Set<Integer> named = new TreeSet<>(localRanks);
        named.addAll(redirects.localRanks());
        tee().ifPresent(map -> named.addAll(map.localRanks()));
        return named;
    }

    LogOptions withTee(StreamMap value) {
        return new LogOptions(value, redirects, prefix, localRanks, stdoutFilters, stderrFilters, maxBytes, maxFiles);
    }

    LogOptions withRedirects(StreamMap value) {
        return new LogOptions(teeMap, value, prefix, localRanks, stdoutFilters, stderrFilters, maxBytes, maxFiles);
    }

    LogOptions withPrefix(LogPrefix value) {
        return new LogOptions(teeMap, redirects, value, localRanks, stdoutFilters, stderrFilters, maxBytes, maxFiles);
    }

    LogOptions withLocalRanks(Set<Integer> value) {
        return new LogOptions(teeMap, redirects, prefix, value, stdoutFilters, stderrFilters, maxBytes, maxFiles);
    }

    LogOptions withStdoutFilters(List<String> value) {
        return new LogOptions(teeMap, redirects, prefix, localRanks, value, stderrFilters, maxBytes, maxFiles);
    }

    LogOptions withStderrFilters(List<String> value) {
        return new LogOptions(teeMap, redirects, prefix, localRanks, stdoutFilters, value, maxBytes, maxFiles);
    }

    LogOptions withMaxBytes(long value) {
        return new LogOptions(teeMap, redirects, prefix, localRanks, stdoutFilters, stderrFilters, value, maxFiles);
    }

    LogOptions withMaxFiles(int value) {
        return new LogOptions(teeMap, redirects, prefix, localRanks, stdoutFilters, stderrFilters, maxBytes, value);
    }
}
