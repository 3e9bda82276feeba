/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.testing.Patience;

/**
 * One element of a job array, and what a cluster does to it.
 *
 * @param id as {@code 4711_2}
 */
public record SlurmElement(SlurmCluster cluster, String id) {
    /** Of an array's job. */
    public static SlurmElement of(SlurmCluster cluster, String job, int index) {
        return new SlurmElement(cluster, job + "_" + index);
    }

    /** The node that it has, as {@code n3}. */
    public String node() {
        return cluster.run("squeue", "--noheader", "--jobs=" + id, "--format=%N");
    }

    /** As {@code RUNNING}, also of an end. */
    public String state() {
        return cluster.run("squeue", "--noheader", "--states=all", "--jobs=" + id, "--format=%T");
    }

    /** One field of what Slurm shows of it; empty if it is not there. */
    public String shown(String field) {
        String start = " " + field + "=";
        String all = cluster.run("scontrol", "--oneliner", "show", "job", id);
        int at = all.indexOf(start);
        return at < 0 ? "" : all.substring(at + start.length()).split(" ", 2)[0];
    }

    public void awaitState(String state) {
        Patience.until(
                id + " to be " + state,
                TestRun.LIMIT,
                () -> state().equals(state),
                () -> "it is " + state() + "\n" + cluster.state());
    }

    /** Slurm takes its node for another job. Returns at once. */
    public Preemption preempt() {
        return new Preemption(
                this,
                cluster.run(
                        "sbatch",
                        "--parsable",
                        "--partition=prod",
                        "--nodes=1",
                        "--nodelist=" + node(),
                        "--cpus-per-task=" + SlurmCluster.CPUS,
                        "--output=/dev/null",
                        "--wrap=exec sleep 300"));
    }

    /** Slurm queues it again, though it has ended. */
    public void requeue() {
        cluster.run("scontrol", "requeue", id);
    }

    /**
     * It is queued again and starts soon. Slurm makes an element wait for two minutes that is queued again, and refuses it
     * within the second of its end.
     */
    public void startSoon() {
        awaitState("PENDING");
        cluster.run("scontrol", "update", "JobId=" + id, "StartTime=now+3");
    }

    /**
     * A node that was taken from an element.
     *
     * @param guest the job that has it
     */
    public record Preemption(SlurmElement element, String guest) {
        /** The guest ends, and the element starts again. */
        public void end() {
            element.awaitState("PENDING");
            // Only then has the element ended where it was: Slurm takes the end of one that it starts sooner for its
            // own.
            new SlurmElement(element.cluster, guest).awaitState("RUNNING");
            element.cluster.run("scancel", guest);
            element.startSoon();
        }
    }
}
