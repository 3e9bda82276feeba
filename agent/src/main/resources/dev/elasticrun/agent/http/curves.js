// SPDX-License-Identifier: Apache-2.0
// What workers did over time: a small picture for each quantity, and in it a line for each rank.

import { byId, draw, keyed, make, setText } from './dom.js';
import { metricNames, pathOf, range, rankLines, span, valuesAt } from './scales.js';
import { incidentTimes } from './timeline.js';
import { bytes, clock, count, percent, plural, rate } from './words.js';

const EVERY_MILLIS = 5000;
const ANSWER_MILLIS = 10_000;
const HEIGHT = 132;
const LEFT = 54;
const RIGHT = 6;
const TOP = 8;
const BOTTOM = 18;
const COLOURS = 8;
/** So many ranks are named one by one. */
const NAMED = 4;

const number = (value) => (Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3)
  ? value.toExponential(2) : String(Number(value.toPrecision(4))));

const CHARTS = [
  { name: 'speed', title: 'Steps per second', words: rate, axis: number },
  { name: 'memory', title: 'Resident memory', words: (value) => (value === 0 ? '0 B' : bytes(value)), unit: 1024 },
  { name: 'cpu', title: 'Processor, of one', words: percent },
  { name: 'collection', title: 'Garbage collection, of the time', words: (value) => `${(value * 100).toFixed(1)} %`, least: 0.05 },
  { name: 'world', title: 'World size', words: count, isOfRun: true },
  { name: 'goodput', title: 'Goodput', words: percent, isOfRun: true, most: 1 },
];

let curves = null;
let isLive = false;
let isPast = false;
/** A picture of a run that has an agent was there. */
let isShown = false;
let incidents = '';
/** The time that is pointed at, of all pictures; null = the newest. */
let chosen = null;

function charts() {
  const metrics = metricNames(curves?.nodes ?? [])
    .map((name) => ({ name, title: `Metric ${name.slice('metric:'.length)}`, words: number }));
  const all = [...CHARTS, ...metrics];
  // Of a run that has ended nothing more will be known.
  return isPast ? all.filter((chart) => lines(chart).length > 0) : all;
}

function lines(chart) {
  if (!chart.isOfRun) {
    return rankLines(curves?.nodes ?? [], chart.name);
  }
  const values = curves?.run[chart.name] ?? [];
  const points = values.map((value, index) => ({ at: curves.millis[index], value }));
  return points.some(({ value }) => value !== null) ? [[null, points]] : [];
}

const time = () => span([curves?.millis ?? [], ...(curves?.nodes ?? []).map(({ millis }) => millis)]);

function describe(chart, all, at) {
  if (all.length === 0) {
    return 'nothing known yet';
  }
  const { to, step } = time();
  const values = valuesAt(all, at ?? to, step);
  if (values.length === 0) {
    return at === null ? 'not known now' : 'not known then';
  }
  const when = at === null ? '' : `${clock(values[0].point.at)}: `;
  if (chart.isOfRun) {
    return when + chart.words(values[0].point.value);
  }
  if (values.length <= NAMED) {
    return when + values.map(({ rank, point }) => `rank ${rank} ${chart.words(point.value)}`).join(', ');
  }
  values.sort((one, other) => one.point.value - other.point.value);
  const [low, high] = [values[0], values.at(-1)];
  return `${when}${chart.words(low.point.value)} (rank ${low.rank}) to ${chart.words(high.point.value)} (rank ${high.rank})`;
}

function label(x, y, words, anchor) {
  const element = draw('text', { x, y, class: 'axis', 'text-anchor': anchor });
  element.textContent = words;
  return element;
}

function picture(chart, all, width) {
  const svg = draw('svg', { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' });
  const floor = HEIGHT - BOTTOM;
  if (all.length === 0) {
    svg.append(draw('path', { d: `M${LEFT} ${floor}H${width - RIGHT}`, class: 'tick' }));
    return svg;
  }
  const { from, to, step } = time();
  const { bottom, top } = range(all, chart);
  const x = (at) => LEFT + ((at - from) / (to - from)) * (width - LEFT - RIGHT);
  const y = (value) => floor - ((value - bottom) / (top - bottom)) * (floor - TOP);
  for (const value of [bottom, (bottom + top) / 2, top]) {
    svg.append(draw('path', { d: `M${LEFT} ${y(value)}H${width - RIGHT}`, class: 'tick' }));
    if (value !== (bottom + top) / 2) {
      svg.append(label(LEFT - 5, y(value) + 4, (chart.axis ?? chart.words)(value), 'end'));
    }
  }
  svg.append(label(LEFT, HEIGHT - 4, clock(from), 'start'), label(width - RIGHT, HEIGHT - 4, clock(to), 'end'));
  incidentTimes().filter((at) => at >= from && at <= to)
    .forEach((at) => svg.append(draw('path', { d: `M${x(at)} ${TOP}V${floor}`, class: 'curve-incident' })));
  all.forEach(([rank, points]) =>
    svg.append(draw('path', { d: pathOf(points, x, y), class: `curve curve-${(rank ?? 0) % COLOURS}` })));
  if (chosen !== null) {
    svg.append(draw('path', { d: `M${x(chosen)} ${TOP}V${floor}`, class: 'curve-chosen' }));
    valuesAt(all, chosen, step).forEach(({ rank, point }) => svg.append(
      draw('circle', { cx: x(point.at), cy: y(point.value), r: 2.5, class: `curve-dot curve-${(rank ?? 0) % COLOURS}` })));
  }
  return svg;
}

function update(figure, chart) {
  const [title, area, words] = figure.children;
  const all = lines(chart);
  const width = area.clientWidth;
  setText(title, chart.title);
  setText(words, describe(chart, all, chosen));
  area.setAttribute('aria-label', `${chart.title}: ${describe(chart, all, null)}`);
  if (width > 0) {
    area.replaceChildren(picture(chart, all, width));
  }
}

function choose(at) {
  const { from, to } = time();
  chosen = at === null || !Number.isFinite(to) ? null : Math.max(from, Math.min(to, at));
  render();
}

function move(event, chart) {
  const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!steps || !curves?.millis.length) {
    return;
  }
  event.preventDefault();
  const times = curves.millis;
  const at = chosen === null ? times.length : times.findLastIndex((one) => one <= chosen);
  choose(times[Math.max(0, Math.min(times.length - 1, at + steps))]);
  setText(byId('curve-words'), `${chart.title}, ${describe(chart, lines(chart), chosen)}`);
}

function figure(chart) {
  const area = make('div', { class: 'curve-area', tabindex: 0, role: 'application', 'aria-roledescription': 'curve' });
  area.addEventListener('pointermove', (event) => {
    const { from, to } = time();
    const box = area.getBoundingClientRect();
    choose(from + ((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * (to - from));
  });
  area.addEventListener('pointerleave', () => choose(null));
  area.addEventListener('blur', () => choose(null));
  area.addEventListener('keydown', (event) => move(event, chart));
  return make('figure', { class: 'curve-figure' }, make('figcaption'), area, make('p', { class: 'curve-now' }));
}

function legend() {
  const ranks = [...new Set((curves?.nodes ?? []).flatMap(({ workers }) => workers).flatMap((worker) => worker.ranks))]
    .filter((rank) => rank >= 0).sort((one, other) => one - other);
  keyed(byId('curve-legend'), ranks.length <= COLOURS ? ranks : [], (rank) => rank,
    (rank) => make('li', {}, draw('svg', { width: 18, height: 10, 'aria-hidden': 'true' },
      draw('path', { d: 'M1 5H17', class: `curve curve-${rank % COLOURS}` })), make('span')),
    (item, rank) => setText(item.lastElementChild, `rank ${rank}`));
  setText(byId('curve-note'), ranks.length > COLOURS ? `A line for each of ${plural(ranks.length, 'rank')}; ${COLOURS} colours.` : '');
}

function render() {
  const all = charts();
  const list = byId('curve-list');
  keyed(list, all, (chart) => chart.name, figure, () => {});
  // A new one has its width only now.
  all.forEach((chart, index) => update(list.children[index], chart));
  legend();
}

async function read() {
  if (!isLive || !isShown || document.hidden) {
    return;
  }
  try {
    const answer = await fetch('api/curves', { signal: AbortSignal.timeout(ANSWER_MILLIS) });
    if (answer.ok) {
      curves = await answer.json();
      render();
    }
  } catch {
    // The connection shows what is wrong.
  }
}

export function start() {
  render();
  new ResizeObserver(render).observe(byId('curve-list'));
  setInterval(read, EVERY_MILLIS);
}

/** Nothing is asked for while the agent does not answer. */
export function connection(state) {
  const was = isLive;
  isLive = state === 'live';
  if (isLive && !was && isShown) {
    read();
  }
}

export function show(newest) {
  isPast = Boolean(newest.files);
  if (isPast) {
    curves = newest.curves;
    byId('curves').hidden = charts().length === 0;
    byId('to-curves').hidden = charts().length === 0;
    render();
  } else if (!isShown) {
    isShown = true;
    read();
  }
  const known = incidentTimes().join();
  if (known !== incidents) {
    incidents = known;
    render();
  }
}
