/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.scheduler;

import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.text.Spelling;
import dev.elasticrun.scheduler.SchedulerProvider;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** The schedulers that are in the class path. */
public final class Schedulers {
    private Schedulers() {}

    /** By name. */
    public static List<SchedulerProvider> all() {
        return ServiceLoader.load(SchedulerProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(SchedulerProvider::name))
                .toList();
    }

    /**
     * The scheduler of that name.
     *
     * @param given what the name was given by, for the message
     * @throws UsageException if there is none
     */
    public static SchedulerProvider named(String name, String given) {
        List<SchedulerProvider> all = all();
        return all.stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow(() -> UsageException.of(given, name, expected(name, all)));
    }

    /** The names as a list for messages. */
    public static String names() {
        return names(all());
    }

    private static String expected(String name, List<SchedulerProvider> all) {
        List<String> names = all.stream().map(SchedulerProvider::name).toList();
        return Spelling.nearest(name, names).map(near -> near + "; ").orElse("") + "one of " + names(all);
    }

    private static String names(List<SchedulerProvider> all) {
        return String.join(", ", all.stream().map(SchedulerProvider::name).toList());
    }
}
