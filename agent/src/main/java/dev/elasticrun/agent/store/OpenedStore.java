/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.TlsChecks;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.embedded.EmbeddedEtcdServer;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import dev.elasticrun.rendezvous.terms.RunKeySource;
import dev.elasticrun.rendezvous.terms.RunTerms;
import dev.elasticrun.rendezvous.terms.StoreContact;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store that a run's agents meet in, open.
 *
 * @param server set when this agent serves it
 */
public record OpenedStore(
        RendezvousStore store,
        @Nullable EmbeddedEtcdServer server,
        RunKeySource runKey,
        String name,
        List<String> endpoints)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenedStore.class);

    /** Whether it lives and stops with this agent. */
    public boolean isServedHere() {
        return server != null;
    }

    public RendezvousConfig rendezvousConfig(AgentContext context) {
        LaunchConfig config = context.config();
        return new RendezvousConfig(
                context.runId(),
                new RunTerms(
                        new NodeBounds(config.size().minNodes(), config.size().maxNodes()),
                        context.strategy().name(),
                        config.workers().runtime(),
                        context.tls().map(RunTls::agreement).orElse(RunTls.OFF),
                        config.checkpoints().localProtection(),
                        config.restarts().budget()),
                config.times().lease(),
                config.times().rounds(),
                new StoreContact(
                        name,
                        config.times().firstContactTimeout(),
                        config.times().storeTimeout()),
                runKey);
    }

    /** Logs what is in plain text, and how more agents of this host find the store. */
    public void announce(AgentContext context) {
        boolean isPlainEtcd = context.config().store().isEtcd()
                && TlsChecks.etcdFiles(context.config().tls()).isEmpty();
        if (context.tls().isPresent() && isPlainEtcd) {
            LOG.warn(
                    "run={} is encrypted between its nodes, but not between them and {}{}",
                    context.runId(),
                    name,
                    runKey.given() == null
                            ? ", which holds the minted run key in clear: who reads it can join (expected: --etcd-ca,"
                                    + " or --run-key-file on all nodes)"
                            : " (expected: --etcd-ca)");
        } else if (context.tls().isEmpty() && context.place().isExposed()) {
            LOG.warn(
                    "run={} is not encrypted between its nodes (--insecure), and other hosts can reach this one at {}",
                    context.runId(),
                    context.settings().address());
        }
        if (server != null) {
            String endpoint = server.endpoint();
            LOG.info(
                    "run={} store={} for more agents on this host: --rdzv-backend embedded --rdzv-endpoint {} --run-id {}",
                    context.runId(),
                    endpoint,
                    endpoint,
                    context.runId());
        }
    }

    @Override
    public void close() {
        store.close();
        if (server != null) {
            server.close();
        }
    }
}
