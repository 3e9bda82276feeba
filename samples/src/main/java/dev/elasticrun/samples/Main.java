/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.RunStoppedException;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.util.List;
import java.util.Objects;

/** The jar's entry: the first argument names the program. Exits 2 when the command line cannot be understood. */
public final class Main {
    private static final String PROGRAMS = "hello, all-reduce, train, epochs, kmeans, xgboost-train, trial-curve";

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        try {
            run(List.of(arguments));
        } catch (UsageException e) {
            end(Objects.requireNonNull(e.getMessage()), 2);
        } catch (DataFileException e) {
            end(Objects.requireNonNull(e.getMessage()), 1);
        } catch (RunStoppedException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    public static void run(List<String> arguments) throws Exception {
        if (arguments.isEmpty()) {
            throw new UsageException("program: none (expected: " + PROGRAMS + ")");
        }
        List<String> rest = arguments.subList(1, arguments.size());
        switch (arguments.get(0)) {
            case "hello" -> HelloRank.run(rest);
            case "all-reduce" -> AllReduceSum.run(rest);
            case "train" -> Train.run(TrainOptions.parse(rest));
            case "epochs" -> Epochs.run(rest);
            case "kmeans" -> KMeans.run(KMeansOptions.parse(rest));
            case "xgboost-train" -> XgboostTrain.run(XgboostTrainOptions.parse(rest, System.getenv()));
            case "trial-curve" -> TrialCurve.run(rest);
            default -> throw new UsageException("program: " + arguments.get(0) + " (expected: " + PROGRAMS + ")");
        }
    }

    static void requireNoArguments(String program, List<String> arguments) {
        if (!arguments.isEmpty()) {
            throw new UsageException(program + ": " + arguments.get(0) + " (expected: no arguments)");
        }
    }

    static void requireAgent() {
        if (System.getenv(WorkerEnv.CHANNEL_DIR) == null) {
            throw new UsageException("not started by elastic-run (expected: elastic-run --standalone"
                    + " --nproc-per-node 2 samples/target/elastic-samples.jar PROGRAM)");
        }
    }

    /** Ends the whole run, not just this worker: a fresh process would read the same command line and the same file. */
    private static void end(String message, int exitCode) {
        System.err.println(message);
        if (System.getenv(WorkerEnv.CHANNEL_DIR) != null) {
            try {
                ElasticRuntime.stopRun(message);
            } catch (RunStoppedException e) {
                // Printed and reported: this process ends here, without a stack trace for what is not a bug.
            }
        }
        System.exit(exitCode);
    }
}
