/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

/** Names of labels, annotations and components. */
final class Names {
    /** Label: one submission of a job. */
    static final String RUN = "elasticrun.dev/run";
    /** Annotation of the job: the id by which its agents meet. */
    static final String RUN_ID = "elasticrun.dev/run-id";
    /** Annotation of the job: MIN:MAX nodes. */
    static final String NODES = "elasticrun.dev/nnodes";

    static final String INSTANCE = "app.kubernetes.io/instance";
    static final String COMPONENT = "app.kubernetes.io/component";
    static final String NAME = "app.kubernetes.io/name";
    static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    /** Value of {@link #NAME} and {@link #MANAGED_BY}. */
    static final String ELASTIC_RUN = "elastic-run";

    static final String AGENT = "agent";
    static final String ETCD = "etcd";
    /** Of a JobSet's replicated job, and what Kubeflow's Trainer expects of a runtime's job and container. */
    static final String NODE = "node";
    /** Label that the controller of JobSets gives to pods. */
    static final String JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name";

    private Names() {}
}
