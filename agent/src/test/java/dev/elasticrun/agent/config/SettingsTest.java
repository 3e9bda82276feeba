/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.WorkerEnv;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingsTest {

    @Test
    void everyConstant_isInOneGroup_andNamedAsItsFlag() throws IllegalAccessException {
        List<Object> constants = new ArrayList<>();
        for (Field field : Settings.class.getFields()) {
            if (field.get(null) instanceof Setting<?> setting) {
                constants.add(setting);
                assertThat(setting.variables()).contains("ELASTICRUN_" + field.getName());
            }
        }
        assertThat(Settings.all())
                .containsExactlyInAnyOrderElementsOf(
                        constants.stream().<Setting<?>>map(Setting.class::cast).toList());
    }

    @Test
    void names_areEachOfOneSetting() {
        assertThat(Settings.all().stream().flatMap(setting -> setting.names().stream()))
                .doesNotHaveDuplicates();
    }

    @Test
    void defaults_areNotRefused() {
        assertThat(SettingValues.DEFAULTS.violations()).isEmpty();
    }

    @Test
    void everyDefault_isReadAgainFromItsText() {
        for (Setting<?> setting : Settings.all()) {
            List<String> texts = SettingValues.DEFAULTS.texts(setting);
            if (!texts.isEmpty()) {
                assertThat(SettingValues.DEFAULTS.withTexts(setting, texts).find(setting))
                        .as(setting.name())
                        .isEqualTo(SettingValues.DEFAULTS.find(setting));
            }
        }
    }

    @Test
    void variablesOfWorkers_areInTheirContract() {
        List<Object> names = Arrays.stream(WorkerEnv.class.getFields())
                .map(SettingsTest::value)
                .toList();
        Map<String, String> variables = SettingValues.DEFAULTS.toWorkers();
        assertThat(variables)
                .containsEntry(WorkerEnv.ROLE_NAME, "default")
                .containsEntry(WorkerEnv.PEER_TIMEOUT_MS, "30000")
                .containsEntry(WorkerEnv.OPERATION_TIMEOUT_MS, "1800000")
                .containsEntry(WorkerEnv.LOCAL_REPLICAS, "2")
                .containsEntry(WorkerEnv.CHECKPOINT_PARITY, "0")
                .containsEntry(WorkerEnv.ON_STATE_LOSS, "restart")
                .allSatisfy((name, value) -> assertThat(names).contains(name));
    }

    private static Object value(Field constant) {
        try {
            return constant.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
