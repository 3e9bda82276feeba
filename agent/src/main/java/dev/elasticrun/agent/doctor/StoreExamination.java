/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.context.OtherEncryptionException;
import dev.elasticrun.agent.control.ProbeServer;
import dev.elasticrun.agent.control.Refusals;
import dev.elasticrun.agent.launch.Endpoint;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.agent.store.OpenedStore;
import dev.elasticrun.agent.store.StoreOpener;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/** Opens the store as the agent of a configuration does, examines it, and meets other nodes by it. Blocks. */
final class StoreExamination {
    /** Below what etcd's users are allowed for agents, and beside the runs. */
    private static final String PREFIX = "/elastic-run/doctor/";

    private static final int KEY_BYTES = 32;

    private final AgentContext context;
    private final LaunchConfig config;
    private final NodeLoad load;
    private final Duration wait;
    private final Consumer<String> news;
    private final Refusals refusals = new Refusals(System::nanoTime, refusal -> {});

    /** @param wait how long for other nodes; zero = they are not looked for */
    StoreExamination(AgentContext context, NodeLoad load, Duration wait, Consumer<String> news) {
        this.context = context;
        this.config = context.config();
        this.load = load;
        this.wait = wait;
        this.news = news;
    }

    /** @return the ways to other nodes that were measured */
    List<PeerReport> run(Consumer<Check> checks) {
        try (OpenedStore opened =
                StoreOpener.open(config, context.place(), context.runId(), context.tls(), refusals, context.random())) {
            StoreProbe.Answer answer = new StoreProbe(opened.store())
                    .ask(PREFIX + "store/" + context.nodeId(), config.times().firstContactTimeout());
            StoreVerdict.of(opened.name(), answer, config.times().lease()).forEach(checks);
            boolean meets = answer.isReachable()
                    && !wait.isZero()
                    && config.store().runId().isPresent()
                    && !config.store().standalone();
            return meets ? meet(opened, checks) : List.of();
        } catch (LaunchConfigException | OtherEncryptionException | StoreOpener.StoreUnreachableException e) {
            checks.accept(StoreVerdict.unreachable(String.valueOf(e.getMessage())));
            return List.of();
        }
    }

    private List<PeerReport> meet(OpenedStore opened, Consumer<Check> checks) {
        byte[] common = opened.runKey().given();
        byte[] key = common == null ? minted() : common;
        context.tls().ifPresent(own -> own.known(key));
        try (ProbeServer server = ProbeServer.start(context.nodeId(), key, context.place(), context.tls(), refusals)) {
            Attendee self = new Attendee(
                    context.nodeId(),
                    new Endpoint(context.settings().address(), server.port()).text(),
                    common == null ? HexFormat.of().formatHex(key) : "",
                    encryption(),
                    List.of());
            int wanted = Math.max(config.size().minNodes() - 1, 1);
            PeerDialer dialer = new PeerDialer(context.runId(), context.nodeId(), key, context.tls());
            List<Meeting.Outcome> outcomes = new Meeting(
                            opened.store(),
                            PREFIX + "runs/" + context.runId() + "/",
                            opened.isServedHere(),
                            dialer,
                            news)
                    .hold(self, wanted, wait);
            outcomes.forEach(outcome -> checks.accept(
                    PeerVerdict.of(outcome, encryption(), load, config.times().stateWait())));
            PeerVerdict.attendance(outcomes.size(), wanted, context.runId(), wait)
                    .ifPresent(checks);
            return outcomes.stream()
                    .flatMap(outcome -> outcome.report().stream())
                    .toList();
        } catch (IOException | StoreException e) {
            checks.accept(Check.error(
                    "other nodes",
                    String.valueOf(e.getMessage()),
                    "correct what the checks of ports and of the store name"));
            return List.of();
        }
    }

    private String encryption() {
        return context.tls().map(RunTls::agreement).orElse(RunTls.OFF);
    }

    private byte[] minted() {
        byte[] key = new byte[KEY_BYTES];
        context.random().nextBytes(key);
        return key;
    }
}
