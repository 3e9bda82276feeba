/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.collective.ReduceOp;
import java.time.Duration;
import java.util.List;

/**
 * Deals the samples of some epochs to whoever is there, and shows that each was used exactly once per epoch, whatever
 * died and joined meanwhile: what was dealt and what was used are committed together.
 */
final class Epochs {
    static final String USAGE = "epochs [SAMPLES [EPOCHS [STEP_MILLIS]]]";
    private static final int[] DEFAULTS = {10_000, 3, 20};
    private static final int[] LEAST = {1, 1, 0};
    private static final int BATCH = 25;
    private static final long SEED = 42;

    private final int epochs;
    private final Duration stepTime;
    private final EpochState epoch;
    private final ElasticState state;

    private Epochs(int samples, int epochs, Duration stepTime) {
        this.epochs = epochs;
        this.stepTime = stepTime;
        epoch = new EpochState(samples, SEED);
        state = ElasticState.of(epoch);
    }

    static void run(List<String> arguments) throws Exception {
        int[] numbers = parse(arguments);
        Main.requireAgent();
        Epochs program = new Epochs(numbers[0], numbers[1], Duration.ofMillis(numbers[2]));
        ElasticLoop.run(program.state, program::work);
    }

    private void work(Collective collective) {
        epoch.sampler().split(collective.rank(), collective.worldSize());
        while (epoch.sampler().epoch() < epochs) {
            int[] used = new int[epoch.samples()];
            for (long sample : epoch.sampler().next(BATCH)) {
                used[(int) sample]++;
            }
            StepTime.pass(stepTime, collective.round());
            collective.allReduce(used, ReduceOp.SUM);
            epoch.use(used, collective.worldSize());
            if (!epoch.sampler().hasNext()) {
                epoch.endEpoch();
            }
            state.commit();
        }
        if (collective.rank() == 0) {
            epoch.ended().forEach(System.out::println);
        }
    }

    static int[] parse(List<String> arguments) {
        if (arguments.size() > DEFAULTS.length) {
            throw new UsageException("epochs: " + arguments.get(DEFAULTS.length) + " (expected: " + USAGE + ")");
        }
        int[] numbers = DEFAULTS.clone();
        for (int i = 0; i < arguments.size(); i++) {
            numbers[i] = wholeNumber(arguments.get(i), LEAST[i]);
        }
        return numbers;
    }

    private static int wholeNumber(String text, int least) {
        try {
            int value = Integer.parseInt(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with numbers that are too small.
        }
        throw new UsageException("epochs: " + text + " (expected: " + USAGE + ", whole numbers)");
    }
}
