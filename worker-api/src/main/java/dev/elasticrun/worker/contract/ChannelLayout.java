/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.nio.file.Path;

/**
 * Where the files of one worker's channel are. The node directory, two levels above the channel directory, holds what
 * all workers of the node share.
 *
 * <pre>
 * node/                          the agent's run directory, 0700
 *   key                          the run key, 0600
 *   tls/                         with TLS: cert.pem, key.pem and ca.pem, see {@link TlsFiles}, 0600
 *   peers/&lt;round&gt;                one line per rank, see {@link PeerTable}
 *   checkpoint/                  newest checkpoints of the node
 *   workers/&lt;slot&gt;.&lt;attempt&gt;/     one worker's channel directory
 *     head                       64 bytes, see {@link Head}
 *     heartbeat                  the worker's published progress, see {@link Heartbeat}
 *     metrics                    values that the program publishes, see {@link MetricFile}
 *     result                     what the worker hands over, see {@link ResultFile}
 *     events/&lt;seq&gt;.json          agent to worker
 *     up/&lt;seq&gt;.json              worker to agent
 *     tmp/                       the worker's temporary directory
 * </pre>
 */
public record ChannelLayout(Path channelDirectory) {

    /** The channel of an attempt of a slot below a node directory. */
    public static ChannelLayout of(Path nodeDirectory, int slot, int attempt) {
        return new ChannelLayout(nodeDirectory.resolve("workers").resolve(slot + "." + attempt));
    }

    public Path nodeDirectory() {
        return channelDirectory.resolve("../..").toAbsolutePath().normalize();
    }

    public Path head() {
        return channelDirectory.resolve("head");
    }

    public Path heartbeat() {
        return channelDirectory.resolve("heartbeat");
    }

    public Path metrics() {
        return channelDirectory.resolve("metrics");
    }

    public Path result() {
        return channelDirectory.resolve("result");
    }

    public Path events() {
        return channelDirectory.resolve("events");
    }

    public Path event(long seq) {
        return events().resolve(seq + ".json");
    }

    public Path up() {
        return channelDirectory.resolve("up");
    }

    public Path temporary() {
        return channelDirectory.resolve("tmp");
    }

    public Path key() {
        return nodeDirectory().resolve("key");
    }

    public Path tls() {
        return nodeDirectory().resolve("tls");
    }

    public Path peers(long round) {
        return nodeDirectory().resolve("peers").resolve(Long.toString(round));
    }

    public Path checkpoints() {
        return nodeDirectory().resolve("checkpoint");
    }
}
