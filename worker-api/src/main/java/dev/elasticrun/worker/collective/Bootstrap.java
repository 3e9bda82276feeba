/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.util.HashMap;
import java.util.Map;

/** Bootstrap operations of one collective: done by all if nobody has the result, else only looked up. */
final class Bootstrap {
    private final Engine engine;
    private final BootstrapTable table;
    private final Map<String, Integer> occurrences = new HashMap<>();
    private final Map<String, String> sites = new HashMap<>();

    Bootstrap(Engine engine, BootstrapTable table) {
        this.engine = engine;
        this.table = table;
    }

    /** Named by where it is called, on what, and which time. */
    void run(Call call) {
        String site = engine.callSite();
        String place = site + " " + call.operation().describe();
        int occurrence = occurrences.merge(place, 1, Integer::sum);
        run(call, place + " #" + occurrence, site, BootstrapScope.JOB);
    }

    /** Named by the program. */
    void run(Call call, String key, BootstrapScope scope) {
        String site = engine.callSite();
        String earlier = sites.putIfAbsent(key, site);
        if (earlier != null) {
            throw new CollectiveMismatchException("bootstrap key \"" + key + "\" was used twice: at " + earlier
                    + " and at " + site + " (expected: once, results of one key are done once)");
        }
        run(call, "key \"" + key + "\"", site, scope);
    }

    private void run(Call call, String name, String site, BootstrapScope scope) {
        long key = BootstrapResult.keyOf(name);
        call.operation().named(key);
        if (table.find(key).isEmpty()) {
            engine.run();
            if (table.find(key).isEmpty()) {
                table.put(new BootstrapResult(
                        name,
                        site,
                        scope,
                        engine.footing().info().world(),
                        call.operation().copy(),
                        call.data().toBytes()));
                return;
            }
        }
        take(table.find(key).orElseThrow(), call, name, site, scope);
    }

    private static void take(BootstrapResult result, Call call, String name, String site, BootstrapScope scope) {
        if (!result.name().equals(name) || !result.operation().isLike(call.operation()) || result.scope() != scope) {
            throw new CollectiveMismatchException("bootstrap operation " + name + " at " + site + " is "
                    + call.operation().describe() + " of scope " + scope + ", but its result is that of "
                    + result.operation().describe() + " of scope " + result.scope() + " at " + result.site());
        }
        call.data().setBytes(result.content());
    }
}
