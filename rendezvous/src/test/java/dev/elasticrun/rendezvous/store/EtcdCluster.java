/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real etcd of three members. */
public final class EtcdCluster implements AutoCloseable {
    private static final int SIZE = 3;

    private final List<EtcdProcess> members;

    private EtcdCluster(List<EtcdProcess> members) {
        this.members = List.copyOf(members);
    }

    /** Starts all members and waits until they answer. */
    public static EtcdCluster start(Path directory) {
        List<Integer> peerPorts = new ArrayList<>();
        List<String> peers = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            int port = FreePort.find();
            peerPorts.add(port);
            peers.add("m" + i + "=http://127.0.0.1:" + port);
        }
        List<EtcdProcess> members = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            members.add(EtcdProcess.member(
                    directory.resolve("m" + i),
                    FreePort.find(),
                    peerPorts.get(i),
                    List.of(
                            "--name=m" + i,
                            "--initial-cluster=" + String.join(",", peers),
                            "--heartbeat-interval=50",
                            "--election-timeout=500")));
        }
        EtcdCluster cluster = new EtcdCluster(members);
        try {
            members.forEach(EtcdProcess::launch);
            members.forEach(EtcdProcess::awaitReady);
            return cluster;
        } catch (IllegalStateException e) {
            cluster.close();
            throw e;
        }
    }

    public List<String> endpoints() {
        return members.stream().map(EtcdProcess::endpoint).toList();
    }

    public EtcdProcess member(int index) {
        return members.get(index);
    }

    /** The index of the member that leads now. */
    public int leader() {
        for (int i = 0; i < SIZE; i++) {
            // endpoint, id, version, size, is leader, ...
            String[] status = members.get(i).ctl("endpoint", "status").split(", ", -1);
            if (status.length > 4 && status[4].equals("true")) {
                return i;
            }
        }
        throw new IllegalStateException("no member leads");
    }

    @Override
    public void close() {
        members.forEach(EtcdProcess::close);
    }
}
