/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.torchrun.MeetingPlace;
import dev.elasticrun.cli.torchrun.TorchrunFlag;
import dev.elasticrun.cli.torchrun.Translation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** What torchrun's flags and variables that are no settings here add to collected values. */
final class TorchrunSource {
    private final CollectedValues values;
    private final Map<TorchrunFlag, GivenValue> given = new EnumMap<>(TorchrunFlag.class);
    private final List<String> noEffect = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    TorchrunSource(CollectedValues values) {
        this.values = values;
    }

    /** @param commandLine the texts that the command line has for a flag */
    void addFlags(Function<TorchrunFlag, Optional<List<String>>> commandLine) {
        for (TorchrunFlag flag : TorchrunFlag.values()) {
            commandLine.apply(flag).ifPresent(texts -> add(flag, GivenValue.ofFlag(flag.option(), texts)));
        }
    }

    /** Those of the environment, of flags that are not given. */
    void addVariables(Map<String, String> environment) {
        for (TorchrunFlag flag : TorchrunFlag.values()) {
            String variable = flag.variable();
            String text = environment.getOrDefault(variable, "");
            if (!text.isEmpty() && !given.containsKey(flag) && isOn(flag, variable, text)) {
                add(flag, GivenValue.ofVariable(variable, text));
            }
        }
    }

    /** What torchrun's backends stand for takes the place of what was given for them. Called when all else is collected. */
    void meet() {
        Translation place = new MeetingPlace(
                        values.last(Settings.RDZV_BACKEND),
                        values.last(Settings.RDZV_ENDPOINT),
                        find(TorchrunFlag.MASTER_ADDR).map(GivenValue::last),
                        find(TorchrunFlag.MASTER_PORT).map(GivenValue::last),
                        values.last(Settings.NODE_RANK),
                        values.last(Settings.NNODES),
                        values.isOn(Settings.STANDALONE),
                        values.find(Settings.RUN_ID).isPresent())
                .translate();
        place.values().forEach((setting, text) -> {
            if (text.equals(Translation.NO_VALUE)) {
                values.remove(setting);
            } else {
                values.replace(setting, cause(setting).with(text));
            }
        });
        noEffect.addAll(place.noEffect());
        notes.addAll(place.notes());
        place.wrong().forEach(wrong -> values.violate(wrong.name(), wrong.value(), wrong.expected()));
    }

    /** What has no effect here, and why: a sentence each that begins with its name. */
    List<String> noEffect() {
        return List.copyOf(noEffect);
    }

    /** What has another name or meaning here: a sentence each. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    // A meeting place is translated only where one of these is given.
    private GivenValue cause(Setting<?> setting) {
        return Stream.of(
                        values.find(setting),
                        values.find(Settings.RDZV_BACKEND),
                        find(TorchrunFlag.MASTER_ADDR),
                        find(TorchrunFlag.MASTER_PORT),
                        values.find(Settings.NODE_RANK))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow();
    }

    private Optional<GivenValue> find(TorchrunFlag flag) {
        return Optional.ofNullable(given.get(flag));
    }

    private void add(TorchrunFlag flag, GivenValue value) {
        given.put(flag, value);
        try {
            Translation translation = flag.translate(value.last());
            translation.values().forEach((setting, text) -> values.add(setting, value.with(text)));
            // A flag that is given by a variable has that name.
            translation.noEffect().forEach(remark -> noEffect.add(remark.replace(flag.option(), value.name())));
            translation.notes().forEach(note -> notes.add(note.replace(flag.option(), value.name())));
        } catch (IllegalArgumentException e) {
            values.violate(value.name(), value.last(), String.valueOf(e.getMessage()));
        }
    }

    private boolean isOn(TorchrunFlag flag, String variable, String text) {
        if (!flag.label().isEmpty()) {
            return true;
        }
        try {
            return Settings.STANDALONE.kind().parse(List.of(text));
        } catch (IllegalArgumentException e) {
            values.violate(variable, text, String.valueOf(e.getMessage()));
            return false;
        }
    }
}
