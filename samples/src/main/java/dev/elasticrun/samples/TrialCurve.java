/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.Snapshotable;
import dev.elasticrun.worker.Trial;
import dev.elasticrun.worker.collective.ReduceOp;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A trial of a study whose loss is known: the squared distance of the parameters {@code x} and {@code y} to 0.3 and 0.7, and a part
 * that becomes less with each step. All workers work at it together, whoever dies, comes and goes.
 */
final class TrialCurve {
    private static final String USAGE = "trial-curve [--steps N] [--step-millis N] [--shared-millis N]";
    private static final double BEST_X = 0.3;
    private static final double BEST_Y = 0.7;

    private final int steps;
    private final Duration stepTime;
    private final Duration sharedTime;
    private final Trial trial = Trial.current();
    private final Steps done = new Steps();

    /**
     * @param stepTime what a step takes, however many workers there are
     * @param sharedTime what it takes beside that, divided by the number of workers
     */
    private TrialCurve(int steps, Duration stepTime, Duration sharedTime) {
        this.steps = steps;
        this.stepTime = stepTime;
        this.sharedTime = sharedTime;
    }

    /** How many steps are done. */
    private static final class Steps implements Snapshotable {
        private int count;

        @Override
        public byte[] save() {
            return ByteBuffer.allocate(Integer.BYTES).putInt(count).array();
        }

        @Override
        public void restore(byte[] snapshot) {
            count = ByteBuffer.wrap(snapshot).getInt();
        }
    }

    static void run(List<String> arguments) throws Exception {
        Main.requireAgent();
        Arguments options = new Arguments("trial-curve", USAGE, arguments);
        int steps = 27;
        int millis = 0;
        int shared = 0;
        while (options.hasNext()) {
            switch (options.next()) {
                case "--steps" -> steps = options.wholeNumber(1);
                case "--step-millis" -> millis = options.wholeNumber(0);
                case "--shared-millis" -> shared = options.wholeNumber(0);
                default -> throw options.unknown();
            }
        }
        new TrialCurve(steps, Duration.ofMillis(millis), Duration.ofMillis(shared)).run();
    }

    private void run() throws Exception {
        ElasticState state = ElasticState.of(done);
        ElasticLoop.run(state, collective -> {
            // A worker that comes later may find the trial ended by its rule.
            boolean goesOn = done.count == 0 || goesOn();
            while (goesOn && done.count < steps) {
                step(collective);
                state.commit();
                goesOn = goesOn();
            }
            System.out.println("ended after step " + done.count + " of " + steps);
        });
    }

    private void step(Collective collective) {
        StepTime.pass(stepTime.plus(sharedTime.dividedBy(collective.worldSize())), collective.round());
        long[] workers = {1};
        collective.allReduce(workers, ReduceOp.SUM);
        done.count++;
    }

    private boolean goesOn() {
        return trial.report(done.count, Map.of("loss", loss())) == Trial.Decision.GO_ON;
    }

    private double loss() {
        double x = parameter("x") - BEST_X;
        double y = parameter("y") - BEST_Y;
        return x * x + y * y + 1.0 / (done.count + 1);
    }

    private double parameter(String name) {
        return ((Number) trial.config().getOrDefault(name, 0.0)).doubleValue();
    }
}
