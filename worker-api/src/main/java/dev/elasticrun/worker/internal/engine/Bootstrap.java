/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static java.util.Objects.requireNonNull;

import dev.elasticrun.worker.collective.BootstrapScope;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.internal.bootstrap.BootstrapResult;
import dev.elasticrun.worker.internal.bootstrap.BootstrapTable;
import dev.elasticrun.worker.internal.exchange.Call;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Bootstrap operations of one collective: done by all if no rank has the result, else only looked up. A lookup under
 * the program's own key does not determine the place of the call.
 */
public final class Bootstrap {
    private static final int MAX_KEY = 4096;

    private final Engine engine;
    private final BootstrapTable table;
    private final Map<String, Integer> occurrences = new HashMap<>();
    private final Set<String> used = new HashSet<>();

    public Bootstrap(Engine engine, BootstrapTable table) {
        this.engine = engine;
        this.table = table;
    }

    /** Named by where it is called, on what, and which time. */
    public void run(Call call) {
        String place = engine.callSite() + " " + call.operation().describe();
        int occurrence = occurrences.merge(place, 1, Integer::sum);
        call.label("call " + occurrence + " of that kind there");
        runNamed(call, place + " #" + occurrence, BootstrapScope.JOB);
    }

    /** Named by the program. */
    public void run(Call call, String key, BootstrapScope scope) {
        requireNonNull(scope, "scope");
        if (requireNonNull(key, "key").isEmpty() || key.length() > MAX_KEY) {
            throw new IllegalArgumentException(
                    "key: of " + key.length() + " characters (expected: 1 to " + MAX_KEY + ")");
        }
        String name = "key \"" + key + "\"";
        if (!used.add(key)) {
            String earlier = table.find(BootstrapResult.keyOf(name))
                    .map(BootstrapResult::site)
                    .orElse("a place where it failed");
            throw new CollectiveMismatchException("bootstrap " + name + " was used twice: at " + earlier + " and at "
                    + engine.callSite() + " (expected: once, results of one key are done once)");
        }
        call.label(name);
        runNamed(call, name, scope);
    }

    private void runNamed(Call call, String name, BootstrapScope scope) {
        long key = BootstrapResult.keyOf(name);
        call.operation().named(key, scope);
        Optional<BootstrapResult> result = table.find(key);
        if (result.isEmpty()) {
            engine.run();
            result = table.find(key);
        }
        if (result.isPresent()) {
            take(result.get(), call, name, scope);
        } else {
            table.put(new BootstrapResult(
                    name,
                    engine.callSite(),
                    scope,
                    engine.activeRound().info().world(),
                    call.operation().copy(),
                    call.data().toBytes()));
        }
    }

    private void take(BootstrapResult result, Call call, String name, BootstrapScope scope) {
        if (!result.name().equals(name) || !result.operation().isLike(call.operation()) || result.scope() != scope) {
            throw new CollectiveMismatchException("bootstrap operation " + name + " at " + engine.callSite() + " is "
                    + call.operation().describe() + " of scope " + scope + ", but its result is that of "
                    + result.operation().describe() + " of scope " + result.scope() + " at " + result.site());
        }
        call.data().setBytes(result.content());
    }
}
