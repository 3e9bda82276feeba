/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a job is in the cluster. */
enum Form {
    /** A work-queue Job. */
    JOB("Job"),
    /** A JobSet with the agents' Job, and etcd's if there is one. */
    JOBSET("JobSet"),
    /** A TrainJob of Kubeflow's Trainer. */
    TRAINJOB("TrainJob");

    private final String kind;

    Form(String kind) {
        this.kind = kind;
    }

    static Optional<Form> named(String text) {
        return Arrays.stream(values())
                .filter(form -> form.option().equals(text))
                .findFirst();
    }

    /** Its name as the value of an option. */
    String option() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Kind of the object that stands for the job. */
    String kind() {
        return kind;
    }

    /** Name of the container with the agent: Trainer looks for it. */
    String container() {
        return this == TRAINJOB ? Names.NODE : Names.AGENT;
    }

    /** Name of the Job, in the sense of Kubernetes, that makes the agents' pods. */
    String jobName(String name) {
        return this == JOB ? name : name + "-" + Names.NODE + "-0";
    }
}
