/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.LogFormat;
import dev.elasticrun.agent.config.LogLevel;
import dev.elasticrun.agent.config.LogPrefix;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.config.StreamMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What is on this process's standard output and error: of workers' output, and of the agent's own lines. Pure. */
public record ConsoleOptions(SettingValues values) {
    public boolean shown() {
        return !values.get(Settings.NO_CONSOLE);
    }

    /** The least severe of the agent's own lines. */
    public LogLevel level() {
        return values.get(Settings.LOG_LEVEL);
    }

    /** What the agent's own lines look like. */
    public LogFormat format() {
        return values.get(Settings.LOG_FORMAT);
    }

    /** What is on the console; empty = standard error of all, and standard output of rank 0. */
    public Optional<StreamMap> tee() {
        return values.find(Settings.TEE);
    }

    /** What is only in the logs, of what would be on the console by default. */
    public StreamMap redirects() {
        return values.get(Settings.REDIRECTS);
    }

    public LogPrefix prefix() {
        return values.get(Settings.LOG_PREFIX);
    }

    /** Those whose output can be on the console; empty = all. */
    public Set<Integer> localRanks() {
        return values.get(Settings.LOCAL_RANKS_FILTER);
    }

    /** Whether standard output of the worker belongs on the console now. */
    public boolean showsStdout(int localRank, boolean isRankZero) {
        return canShow(localRank)
                && (tee().isEmpty()
                        ? isRankZero && !redirects().of(localRank).out()
                        : tee().get().of(localRank).out());
    }

    /** Whether standard error of the worker belongs on the console. */
    public boolean showsStderr(int localRank) {
        return canShow(localRank)
                && (tee().isEmpty()
                        ? !redirects().of(localRank).err()
                        : tee().get().of(localRank).err());
    }

    private boolean canShow(int localRank) {
        return localRanks().isEmpty() || localRanks().contains(localRank);
    }

    /** Local ranks that are named anywhere. */
    Set<Integer> namedRanks() {
        Set<Integer> named = new TreeSet<>(localRanks());
        named.addAll(redirects().localRanks());
        tee().ifPresent(map -> named.addAll(map.localRanks()));
        return named;
    }
}
