/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.config.ListenAddress;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.directory.RunDirectoryPlace;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.agent.process.ResourceLimits;
import dev.elasticrun.agent.runtime.NativeLibrary;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Looks at this node as an agent would that is started here with the same settings, and starts none. What it makes (keys of the
 * store, listeners) is gone when it returns.
 */
public final class Doctor {
    private final AgentContext context;
    private final NodeLoad load;
    private final List<Check> checks = new ArrayList<>();

    private Doctor(AgentContext context, DoctorOptions options) {
        this.context = context;
        this.load = NodeLoad.of(context.config(), options.checkpointBytes());
    }

    /**
     * Blocks, for at most the time that the store may take to answer, that of {@link DoctorOptions#patience}, and what measurements
     * take.
     *
     * @param config of the agent; its program does not count
     * @param news receives what is waited for
     * @throws LaunchConfigException when files of the configuration cannot be used
     */
    public static DoctorReport examine(LaunchConfig config, DoctorOptions options, Consumer<String> news) {
        try {
            AgentContext context = AgentContext.of(config, System.nanoTime());
            Doctor doctor = new Doctor(context, options);
            doctor.checkNode();
            StoreExamination store = new StoreExamination(context, doctor.load, options.patience(), news);
            List<PeerReport> peers = store.run(doctor.checks::add);
            doctor.checks.add(PeerVerdict.clock(peers));
            return new DoctorReport(context.nodeId(), context.settings().address(), doctor.checks, peers);
        } catch (UncheckedIOException e) {
            throw new LaunchConfigException(List.of(e.getMessage() + " (" + e.getCause() + ")"));
        }
    }

    private void checkNode() {
        checks.add(JavaVerdict.ofAgent(Runtime.version(), System.getProperty("java.home")));
        checks.add(
                JavaVerdict.ofWorkers(JavaProbe.ask(context.config().workers().java())));
        for (NativeLibrary library : context.runtimes().chosen().nativeLibraries()) {
            checks.add(LibraryProbe.ofThisMachine()
                    .check(library, context.config().workers().runtime()));
        }
        checkDirectories();
        checkLimits();
        checks.add(NetworkVerdict.address(
                context.settings().address(),
                AddressProbe.ask(context.settings().address()),
                context.config().size().maxNodes() > 1));
        checks.add(NetworkVerdict.ports(PortProbe.ask(context.place(), ownPorts()), load));
    }

    private void checkDirectories() {
        List<RunDirectoryPlace> places = RunDirectoryPlace.ofAgents(load.workers());
        checks.add(DirectoryVerdict.runDirectory(places));
        if (load.checkpointBytes().isPresent()) {
            checks.add(DirectoryVerdict.space(places, load));
        }
        Path logs = context.config().logs().directory();
        checks.add(DirectoryVerdict.logs(logs, LogProbe.expectation(logs)));
    }

    private void checkLimits() {
        ProcessLimits own = ProcessLimits.ofThisProcess();
        ResourceLimits groups = ResourceLimits.ofThisProcess();
        checks.add(LimitVerdict.openFiles(own.openFiles(), load));
        checks.add(LimitVerdict.processes(own.processes(), load));
        checks.add(LimitVerdict.groupProcesses(groups, load));
        checks.add(LimitVerdict.memory(groups, Machine.memoryBytes(), load));
        checks.add(LimitVerdict.processors(groups, Machine.processors(), load));
    }

    private Map<String, ListenAddress> ownPorts() {
        Map<String, ListenAddress> ports = new LinkedHashMap<>();
        context.config().http().dashboard().ifPresent(at -> ports.put(Settings.DASHBOARD_PORT.option(), at));
        context.config().http().metrics().ifPresent(at -> ports.put(Settings.METRICS_PORT.option(), at));
        return ports;
    }
}
