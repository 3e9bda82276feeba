/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.util.Map;

/** Names of the variables in a worker's environment. Names are torchrun's where it has one. */
public final class WorkerEnv {
    public static final String RANK = "RANK";
    public static final String WORLD_SIZE = "WORLD_SIZE";
    public static final String LOCAL_RANK = "LOCAL_RANK";
    public static final String LOCAL_WORLD_SIZE = "LOCAL_WORLD_SIZE";
    public static final String ROLE_NAME = "ROLE_NAME";
    public static final String ROLE_RANK = "ROLE_RANK";
    public static final String ROLE_WORLD_SIZE = "ROLE_WORLD_SIZE";
    public static final String GROUP_RANK = "GROUP_RANK";
    public static final String GROUP_WORLD_SIZE = "GROUP_WORLD_SIZE";
    public static final String MASTER_ADDR = "MASTER_ADDR";
    public static final String MASTER_PORT = "MASTER_PORT";
    public static final String RUN_ID = "ELASTIC_RUN_ID";
    /** Only under {@code hard}, where a worker lives for one round. */
    public static final String ROUND = "ELASTIC_ROUND";

    public static final String RESTART_COUNT = "ELASTIC_RESTART_COUNT";
    public static final String MAX_RESTARTS = "ELASTIC_MAX_RESTARTS";
    public static final String CHANNEL_DIR = "ELASTIC_CHANNEL_DIR";
    public static final String ERROR_FILE = "ELASTIC_ERROR_FILE";
    /** How long a peer may be silent, in milliseconds; 30000 if absent. */
    public static final String PEER_TIMEOUT_MS = "ELASTIC_PEER_TIMEOUT_MS";

    /** How long an operation may wait for a peer, in milliseconds; 0 = for ever, 1800000 if absent. */
    public static final String OPERATION_TIMEOUT_MS = "ELASTIC_OPERATION_TIMEOUT_MS";

    /**
     * {@code true} if another process can take the place of this or another worker in the same world; otherwise absent.
     * The collective then keeps results of operations for it.
     */
    public static final String REPLACES_WORKERS = "ELASTIC_REPLACES_WORKERS";

    /** What collective operations go through: {@code auto}, {@code tcp} or {@code shm}; auto if absent. */
    public static final String TRANSPORT = "ELASTIC_TRANSPORT";

    /** {@code true} if connections between workers use TLS, by the files that the agent gives; otherwise absent. */
    public static final String TLS = "ELASTIC_TLS";

    /** Address of this machine at which the worker listens for its peers; all of them if absent. */
    public static final String BIND_ADDR = "ELASTIC_BIND_ADDR";

    /** Ports, A-B, of which the worker's listener takes one; those of the operating system if absent. */
    public static final String PORT_RANGE = "ELASTIC_PORT_RANGE";

    /** How many other workers keep a copy of a local state, on other nodes as far as there are; 2 if absent. */
    public static final String LOCAL_REPLICAS = "ELASTIC_LOCAL_REPLICAS";

    /**
     * Most nodes of a group in which parity replaces copies of local states, 2 to {@link #MAX_CHECKPOINT_PARITY}; 0 or absent =
     * copies are made.
     */
    public static final String CHECKPOINT_PARITY = "ELASTIC_CHECKPOINT_PARITY";

    /** More nodes in a group save little memory, and make the loss of two of them likely. */
    public static final int MAX_CHECKPOINT_PARITY = 16;

    /** Directory of the run's durable checkpoints, the same for all nodes; absent = none are made. */
    public static final String CHECKPOINT_DIR = "ELASTIC_CHECKPOINT_DIR";

    /** How many versions lie between two durable checkpoints; 1 if absent. */
    public static final String CHECKPOINT_EVERY = "ELASTIC_CHECKPOINT_EVERY";

    /**
     * Directory of the node, on a disk, for checkpoint files that do not fit into the run directory; absent = the run
     * directory is on one.
     */
    public static final String CHECKPOINT_DISK = "ELASTIC_CHECKPOINT_DISK";

    /** What happens when no worker has the state that the run had: {@code restart} or {@code fail}; restart if absent. */
    public static final String ON_STATE_LOSS = "ELASTIC_ON_STATE_LOSS";

    /** Name of the study that the run is a trial of; absent = it is none, as the next three. */
    public static final String STUDY = "ELASTIC_STUDY";

    /** Number of the trial in its study, from 1. */
    public static final String TRIAL = "ELASTIC_TRIAL";

    /** Parameters of the trial, a JSON object. */
    public static final String TRIAL_CONFIG = "ELASTIC_TRIAL_CONFIG";

    /** Directory of the files that workers of a trial and their agent exchange, see {@link TrialFiles}. */
    public static final String TRIAL_DIR = "ELASTIC_TRIAL_DIR";

    private WorkerEnv() {}

    /** The number in a variable, {@code absent} if it is not set. Throws IllegalArgumentException that names the variable. */
    public static long number(Map<String, String> environment, String name, long absent, long least) {
        String text = environment.get(name);
        if (text == null) {
            return absent;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": " + text + " (expected: a number)", e);
        }
        throw new IllegalArgumentException(name + ": " + text + " (expected: " + least + " or more)");
    }
}
