/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is read from {@code scontrol --oneliner show job}. */
final class ElementDetailsTest {
    private static final String SHOWN =
            "JobId=7 ArrayJobId=7 ArrayTaskId=1-2 JobName=train UserId=u(1000) GroupId=u(1000)"
                    + " JobState=PENDING Reason=Resources Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1 NodeList=(null)"
                    + " Command=(null) WorkDir=/home/u Comment=elastic-run,nodes=1:3 StdErr=/home/u/train-%A_%a.out StdIn=/dev/null"
                    + " StdOut=/home/u/train-%A_%a.out Power=\n"
                    + "JobId=8 ArrayJobId=7 ArrayTaskId=0 JobName=train UserId=u(1000) GroupId=u(1000) MCS_label=N/A"
                    + " JobState=RUNNING Reason=None Dependency=(null) Requeue=1 Restarts=2 BatchFlag=1 Reboot=0 ExitCode=0:0"
                    + " NodeList=n1 BatchHost=n1 NumNodes=1 NumCPUs=4 NumTasks=1 CPUs/Task=4 ReqB:S:C:T=0:0:*:*"
                    + " TRES=cpu=4,node=1,billing=4 WorkDir=/home/u/my project Comment=elastic-run,nodes=1:3"
                    + " StdErr=/home/u/my project/%x-%A_%a.%j.out StdIn=/dev/null StdOut=/home/u/my project/%x-%A_%a.%j.out Power=\n"
                    + "JobId=99 JobName=none UserId=u(1000) StdOut=/home/u/slurm-99.out Power=\n";

    @Test
    void parse_elementsThatWereStarted_withRestartsAndOutput() {
        assertThat(ElementDetails.parse(SHOWN))
                .containsExactly(new ElementDetails("7_0", 2, "/home/u/my project/train-7_0.8.out"));
    }

    @Test
    void parse_nothing_isNothing() {
        assertThat(ElementDetails.parse("\nno job\n")).isEmpty();
    }
}
