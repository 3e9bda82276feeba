/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether an agent ends in order to start over, as its run encrypts and it does not, or the opposite. Any thread. */
final class AdoptedEncryption implements Consumer<RendezvousEvent> {
    private final AgentContext context;
    private final AgentMachine machine;
    private volatile @Nullable Boolean adopted;

    AdoptedEncryption(AgentContext context, AgentMachine machine) {
        this.context = context;
        this.machine = machine;
    }

    @Override
    public void accept(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.EncryptionDiffers differs) {
            onOther(differs.tls(), differs.reason());
        }
    }

    /**
     * The run has another encryption setting than this agent: the agent starts over with the run's setting, or ends
     * with the reason. User-supplied certificates cannot be adopted, because this agent does not have them.
     *
     * @param tls the run's CA, as in {@link RunTls#agreement}
     */
    void onOther(String tls, String reason) {
        boolean encrypted = tls.equals(RunTls.GENERATED);
        boolean adopts = context.network().adoptsEncryption() && (encrypted || tls.equals(RunTls.OFF));
        if (adopts) {
            adopted = encrypted;
        }
        String over = "starting over " + (encrypted ? "with" : "without") + " encryption, as run " + context.runId();
        machine.post(new AgentEvent.Aborted(ExitCode.USAGE.code(), adopts ? over : reason));
    }

    /** Whether the run encrypts; empty unless the agent starts over with that. */
    Optional<Boolean> adopted() {
        return Optional.ofNullable(adopted);
    }
}
