/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The values that a parameter can take, as an image of the numbers from 0 to 1: a searcher chooses a number, and all domains
 * are alike to it. Values are Long, Double, String or Boolean.
 */
public sealed interface Domain {
    /** Between two whole numbers. */
    double HALF = 0.5;

    /** @param position from 0 (inclusive) to 1 (exclusive) */
    Object at(double position);

    /**
     * A number whose image a value is: the inverse of {@link #at}, the middle of those that have the same image.
     *
     * @param value of this domain
     */
    double position(Object value);

    /**
     * Values for a grid.
     *
     * @param points how many of a domain that has more, from 2; the ends are among them
     */
    List<Object> grid(int points);

    /** All numbers between two, equally likely. */
    record Uniform(double low, double high) implements Domain {
        public Uniform {
            requireRange(low, high);
        }

        @Override
        public Object at(double position) {
            return low + position * (high - low);
        }

        @Override
        public double position(Object value) {
            return (number(value) - low) / (high - low);
        }

        @Override
        public List<Object> grid(int points) {
            return ends(points, this);
        }
    }

    /** All numbers between two above zero, whose logarithms are equally likely. */
    record LogUniform(double low, double high) implements Domain {
        public LogUniform {
            requireRange(low, high);
            requirePositive(low);
        }

        @Override
        public Object at(double position) {
            return position == 1 ? high : low * Math.exp(position * Math.log(high / low));
        }

        @Override
        public double position(Object value) {
            return Math.log(number(value) / low) / Math.log(high / low);
        }

        @Override
        public List<Object> grid(int points) {
            return ends(points, this);
        }
    }

    /**
     * Whole numbers from {@code low} to {@code high}, both included.
     *
     * @param isLog whether their logarithms are equally likely, and not they
     */
    record Whole(long low, long high, boolean isLog) implements Domain {
        public Whole {
            if (low > high) {
                throw new IllegalArgumentException(
                        "[" + low + ", " + high + "] (expected: not a lower end above the upper)");
            }
            if (isLog) {
                requirePositive((double) low);
            }
        }

        @Override
        public Object at(double position) {
            if (!isLog) {
                return clipped(low + Math.floor(position * (high - low + 1.0)));
            }
            return clipped((double) Math.round(Math.exp(from() + position * (to() - from()))));
        }

        @Override
        public double position(Object value) {
            double number = number(value);
            return isLog ? (Math.log(number) - from()) / (to() - from()) : (number - low + HALF) / (high - low + 1.0);
        }

        private double from() {
            return Math.log(low - HALF);
        }

        private double to() {
            return Math.log(high + HALF);
        }

        private long clipped(double value) {
            return (long) Math.min((double) high, Math.max((double) low, value));
        }

        @Override
        public List<Object> grid(int points) {
            if (high - low < points) {
                List<Object> all = new ArrayList<>();
                for (long value = low; value <= high; value++) {
                    all.add(value);
                }
                return all;
            }
            return ends(points, this).stream().distinct().toList();
        }
    }

    /** One of these. */
    record Choice(List<Object> values) implements Domain {
        public Choice {
            values = List.copyOf(values);
            if (values.isEmpty()) {
                throw new IllegalArgumentException("no value (expected: one or more)");
            }
            if (values.stream().distinct().count() < values.size()) {
                throw new IllegalArgumentException(values + " (expected: each once)");
            }
        }

        @Override
        public Object at(double position) {
            return values.get((int) Math.min(values.size() - 1.0, position * values.size()));
        }

        @Override
        public double position(Object value) {
            return (values.indexOf(value) + HALF) / values.size();
        }

        @Override
        public List<Object> grid(int points) {
            return values;
        }
    }

    private static List<Object> ends(int points, Domain domain) {
        return IntStream.range(0, points)
                .mapToObj(point -> Objects.requireNonNull(domain.at(point / (points - 1.0))))
                .toList();
    }

    private static double number(Object value) {
        return ((Number) value).doubleValue();
    }

    private static void requireRange(double low, double high) {
        if (!(low < high) || Double.isInfinite(low) || Double.isInfinite(high)) {
            throw new IllegalArgumentException(
                    "[" + low + ", " + high + "] (expected: two finite numbers, the lower one first)");
        }
    }

    private static void requirePositive(double low) {
        if (low <= 0) {
            throw new IllegalArgumentException(low + " (expected: above 0, as logarithms are taken)");
        }
    }
}
