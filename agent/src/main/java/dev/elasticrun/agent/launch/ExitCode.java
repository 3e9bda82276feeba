/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

/** Exit codes of the command. */
public enum ExitCode {
    SUCCEEDED(0, "the run succeeded"),
    WORKER_FAILURE(1, "a worker failed and could not be restarted"),
    USAGE(2, "wrong usage or configuration; nothing was started"),
    BELOW_MINIMUM(3, "the minimum of nodes was not reached"),
    BUDGET_USED(4, "a budget above 0 is used up"),
    STORE_LOST(5, "the store was lost, or did not answer at the start; may be worth another try"),
    NO_PROGRESS(6, "no progress over too many incidents; do not start it again as it is"),
    INTERRUPTED(130, "interrupted"),
    DRAINED(143, "drained");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    public String meaning() {
        return meaning;
    }
}
