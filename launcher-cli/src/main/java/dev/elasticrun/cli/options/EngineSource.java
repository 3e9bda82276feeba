/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.EngineChoice;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.engine.Engine;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the engine that started this process adds to collected values: the weakest source before the defaults. */
final class EngineSource {
    private EngineSource() {}

    static void add(CollectedValues values, Map<String, String> environment) {
        if (values.isWrong(Settings.ENGINE)) {
            return;
        }
        EngineChoice choice = values.last(Settings.ENGINE)
                .map(text -> Settings.ENGINE.kind().parse(List.of(text)))
                .orElse(EngineChoice.AUTO);
        Optional<Engine> chosen = Engine.chosen(choice, environment);
        boolean meetsOthers = values.find(Settings.RDZV_ENDPOINT).isPresent() && !values.isOn(Settings.STANDALONE);
        boolean isNamed = values.find(Settings.RUN_ID).isPresent();
        chosen.ifPresent(engine -> engine.values(environment, meetsOthers).forEach((setting, value) -> {
            GivenValue given = new GivenValue(
                    value.variable(),
                    "engine " + engine.text() + ", variable " + value.variable(),
                    List.of(value.text()));
            values.add(setting, given);
            if (setting.equals(Settings.RUN_ID) && !isNamed) {
                // The engine may start agents again after the end.
                values.add(Settings.ONCE, given.with("true"));
            }
        }));
    }
}
