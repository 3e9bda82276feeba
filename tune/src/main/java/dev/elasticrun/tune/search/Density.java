/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.search;

import dev.elasticrun.tune.space.Domain;
import dev.elasticrun.tune.space.Parameter;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How likely positions of a parameter are by some trials: the mean of a uniform density and one for each trial. Of a choice that one
 * is all on the trial's value, else it is a normal density around the trial's position, as wide as its distance to the farther of
 * its two neighbours.
 */
final class Density {
    private static final double LEAST_WIDTH = 0.01;
    private static final int ATTEMPTS = 100;

    private final Domain domain;
    private final double[] centres;

    private Density(Domain domain, double[] centres) {
        this.domain = domain;
        this.centres = centres;
    }

    /** By the trials to which the parameter applied. */
    static Density of(Parameter parameter, List<Observation> trials) {
        double[] centres = trials.stream()
                .filter(trial -> trial.parameters().containsKey(parameter.name()))
                .mapToDouble(
                        trial -> parameter.domain().position(trial.parameters().get(parameter.name())))
                .sorted()
                .toArray();
        return new Density(parameter.domain(), centres);
    }

    double draw(SplittableRandom draws) {
        int kernel = draws.nextInt(centres.length + 1);
        if (kernel == centres.length) {
            return draws.nextDouble();
        }
        if (domain instanceof Domain.Choice) {
            return centres[kernel];
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            double position = centres[kernel] + width(kernel) * draws.nextGaussian();
            if (position >= 0 && position < 1) {
                return position;
            }
        }
        return centres[kernel];
    }

    double at(double position) {
        double sum = 1;
        for (int kernel = 0; kernel < centres.length; kernel++) {
            sum += kernel(kernel, position);
        }
        return sum / (centres.length + 1);
    }

    private double kernel(int kernel, double position) {
        if (domain instanceof Domain.Choice choice) {
            boolean isSame = choice.at(position).equals(choice.at(centres[kernel]));
            return isSame ? choice.values().size() : 0;
        }
        double width = width(kernel);
        double distance = (position - centres[kernel]) / width;
        return Math.exp(-distance * distance / 2) / (width * Math.sqrt(2 * Math.PI));
    }

    private double width(int kernel) {
        double below = kernel == 0 ? centres[kernel] : centres[kernel] - centres[kernel - 1];
        double above = kernel == centres.length - 1 ? 1 - centres[kernel] : centres[kernel + 1] - centres[kernel];
        return Math.max(LEAST_WIDTH, Math.max(below, above));
    }
}
