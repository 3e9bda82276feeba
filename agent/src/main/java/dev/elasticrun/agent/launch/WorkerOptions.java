/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.config.ClassData;
import dev.elasticrun.agent.config.CpuBinding;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a worker's process is started. */
public record WorkerOptions(SettingValues values) {
    public String role() {
        return values.get(Settings.ROLE);
    }

    public Path java() {
        return values.get(Settings.JAVA);
    }

    public List<String> javaOpts() {
        return values.get(Settings.JAVA_OPTS);
    }

    public Optional<String> classPath() {
        return values.find(Settings.CLASS_PATH);
    }

    /** Empty = the one in the manifest. */
    public Optional<String> mainClass() {
        return values.find(Settings.MAIN_CLASS);
    }

    public ClassData classData() {
        return values.get(Settings.CLASS_DATA);
    }

    /** Variables on top of this process's, by name. */
    public Map<String, String> environment() {
        return values.get(Settings.ENV);
    }

    /** Whether the program is the name of a Python module. */
    public boolean module() {
        return values.get(Settings.MODULE);
    }

    /** Whether a program that ends in .py is executed as it is. */
    public boolean noPython() {
        return values.get(Settings.NO_PYTHON);
    }

    /** Whether each worker has local rank 0 and one GPU in its environment. */
    public boolean virtualLocalRank() {
        return values.get(Settings.VIRTUAL_LOCAL_RANK);
    }

    /** NAME or NAME:OPTION. */
    public String runtime() {
        return values.get(Settings.RUNTIME);
    }

    public CpuBinding bindTo() {
        return values.get(Settings.BIND_TO);
    }
}
