// SPDX-License-Identifier: Apache-2.0
// From values to places in a picture. Nothing here knows the page.

/** The smallest of 1, 2, 2.5 and 5 by a power of ten that is not below a value; of bytes, by a power of 1024, too. */
export function niceTop(value, unit = 1) {
  if (!(value > 0)) {
    return 1;
  }
  const base = unit ** Math.max(0, Math.floor(Math.log(value) / Math.log(unit === 1 ? Infinity : unit)));
  const part = value / base;
  const power = 10 ** Math.floor(Math.log10(part) + 1e-9);
  return base * power * [1, 2, 2.5, 5, 10].find((nice) => nice * power >= part * (1 - 1e-9));
}

/** So long a picture shows at least. */
const LEAST_MILLIS = 10_000;
/** A value counts for its moment and so long after it, beside a part of the whole time. */
const FRESH_MILLIS = 6000;
const FRESH_PARTS = 60;

/** The first and the last of all times, and how far from a time a value may be that is shown for it. */
export function span(times) {
  const known = times.filter((millis) => millis.length > 0);
  const first = Math.min(...known.map((millis) => millis[0]));
  const to = Math.max(...known.map((millis) => millis.at(-1)));
  return { from: Math.min(to - LEAST_MILLIS, first), to, step: (to - first) / FRESH_PARTS + FRESH_MILLIS };
}

/** The times between values, of the node that looks least often. */
const longestStep = (nodes) => Math.max(0, ...nodes.filter(({ millis }) => millis.length > 1)
  .map(({ millis }) => (millis.at(-1) - millis[0]) / (millis.length - 1)));

/** With a point of which nothing is known wherever there is none for longer than that. */
function withGaps(points, most) {
  points.sort((one, other) => one.at - other.at);
  return points.flatMap((point, index) => (index > 0 && point.at - points[index - 1].at > most
    ? [{ at: (point.at + points[index - 1].at) / 2, value: null }, point] : [point]));
}

/**
 * A line for each rank: what was measured where it worked at a time, in the order of times.
 *
 * @return pairs of a rank and its points {at, value}; the value is null where nothing is known
 */
export function rankLines(nodes, name) {
  const lines = new Map();
  const most = 2.5 * longestStep(nodes);
  for (const { millis, workers } of nodes) {
    for (const { ranks, curves } of workers) {
      (curves[name] ?? []).forEach((value, index) => {
        if (ranks[index] >= 0) {
          const points = lines.get(ranks[index]) ?? [];
          points.push({ at: millis[index], value });
          lines.set(ranks[index], points);
        }
      });
    }
  }
  return [...lines]
    .filter(([, points]) => points.some(({ value }) => value !== null))
    .sort(([one], [other]) => one - other)
    .map(([rank, points]) => [rank, withGaps(points, most)]);
}

/** The names of what programs publish, in order. */
export const metricNames = (nodes) => [...new Set(nodes.flatMap(({ workers }) => workers)
  .flatMap(({ curves }) => Object.keys(curves)).filter((name) => name.startsWith('metric:')))].sort();

/** The lowest and the highest place of an axis on which all values of all lines are. */
export function range(lines, { unit, most, least = 0 }) {
  let low = 0;
  let high = least;
  for (const [, points] of lines) {
    for (const { value } of points) {
      low = Math.min(low, value ?? low);
      high = Math.max(high, value ?? high);
    }
  }
  const bottom = low < 0 ? -niceTop(-low, unit) : 0;
  return { bottom, top: most ?? (high > 0 || low === 0 ? niceTop(high, unit) : 0) };
}

const round = (number) => Math.round(number * 10) / 10;

/** A path through points, with gaps where nothing is known; a point without neighbours is a short stroke. */
export function pathOf(points, x, y) {
  let path = '';
  let isOn = false;
  points.forEach(({ at, value }, index) => {
    if (value === null) {
      isOn = false;
      return;
    }
    const isAlone = !isOn && (points[index + 1]?.value ?? null) === null;
    path += `${isOn ? 'L' : 'M'}${round(x(at) - (isAlone ? 1.5 : 0))} ${round(y(value))}${isAlone ? 'h3' : ''}`;
    isOn = true;
  });
  return path;
}

/** The known point that is nearest to a time; undefined = there is none. */
export function nearest(points, at) {
  let found;
  for (const point of points) {
    if (point.value !== null && (!found || Math.abs(point.at - at) < Math.abs(found.at - at))) {
      found = point;
    }
  }
  return found;
}

/** The known values of all lines at a time, or the newest before it; lines that ended long before have none. */
export function valuesAt(lines, at, within) {
  return lines.map(([rank, points]) => ({ rank, point: nearest(points, at) }))
    .filter(({ point }) => point && Math.abs(point.at - at) <= within);
}
