// SPDX-License-Identifier: Apache-2.0
// Rounds as a picture: a lane for each rank, and what all of a round did at a time as a band across its lanes.

import { byId, draw, keyed, make, setText } from './dom.js';
import { clock, duration, plural } from './words.js';

const PHASES = {
  working: 'working',
  starting: 'starting',
  recovering: 'getting ready to work again',
  stopped: 'stopped, waiting for the next round',
  waiting: 'paused until the run can go on',
};
const LABELS = 44;
const TOP = 18;
const BOTTOM = 22;
const LEAST = 3;
const WORDS = 20;
/** Of a label, at most. */
const LETTER = 6.5;

let picture = null;
let zoom = null;
let near = null;
let chosen = null;
let width = 0;

const nowFor = () => (picture.run.state === 'ending' ? (picture.rounds.at(-1).broken ?? picture.now) : picture.now);

/** Programs that use no collective never report that they work again: the publication of WORK counts for it. */
const reportsWork = () => picture.rounds.some((round) => round.resumed !== null);

function pieces(round, end) {
  if (round.suspended) {
    return [{ phase: 'waiting', from: round.sealed, to: end }];
  }
  const back = round.resumed ?? (reportsWork() ? null : round.published);
  const broken = Math.min(round.broken ?? end, end);
  const parts = [];
  if (back === null) {
    parts.push({ phase: round.joined ? 'starting' : 'recovering', from: round.sealed, to: broken });
  } else {
    parts.push({ phase: round.joined ? 'starting' : 'recovering', from: round.sealed, to: Math.min(back, end) });
    parts.push({ phase: 'working', from: back, to: Math.max(back, broken) });
  }
  if (round.broken !== null) {
    parts.push({ phase: 'stopped', from: broken, to: end });
  }
  return parts.filter((part) => part.to > part.from);
}

function bands() {
  const { rounds } = picture;
  let ranks = 1;
  return rounds.map((round, index) => {
    const end = rounds[index + 1]?.sealed ?? nowFor();
    // Who is paused has no rank: it is shown where it was.
    ranks = round.suspended ? ranks : Math.max(1, round.worldSize);
    return { round, end, ranks, parts: pieces(round, end) };
  });
}

function range() {
  if (zoom?.from) {
    return zoom;
  }
  const to = nowFor();
  const first = picture.rounds[0]?.sealed ?? to;
  const from = zoom?.seconds ? to - zoom.seconds * 1000 : first;
  return { from: Math.min(from, to - 5000), to };
}

const hostOf = (round, rank) => round.members.find((one) => rank >= one.firstRank && rank < one.firstRank + one.slots);

function patterns() {
  const pattern = (id, size, ...shapes) =>
    draw('pattern', { id, width: size, height: size, patternUnits: 'userSpaceOnUse' },
      draw('rect', { width: size, height: size, class: `${id}-ground` }), ...shapes);
  return draw('defs', {},
    pattern('p-starting', 6, draw('path', { d: 'M0 3H6', class: 'p-line' })),
    pattern('p-recovering', 8, draw('path', { d: 'M-2 2L2 -2M0 8L8 0M6 10L10 6', class: 'p-line' })),
    pattern('p-stopped', 6, draw('path', { d: 'M0 0L6 6M6 0L0 6', class: 'p-line' })),
    pattern('p-gone', 5, draw('path', { d: 'M0 5L5 0', class: 'p-cross' })),
    pattern('p-waiting', 6, draw('circle', { cx: 3, cy: 3, r: 1.2, class: 'p-dot' })));
}

const fill = (phase) => (phase === 'working' ? null : `url(#p-${phase})`);

function axis(from, to, x, bottom) {
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400];
  const fit = Math.max(2, Math.floor((width - LABELS) / 90));
  const step = (steps.find((one) => (to - from) / 1000 / one <= fit) ?? 172800) * 1000;
  const marks = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const text = step < 1000 ? `${clock(at)}.${Math.round((at % 1000) / 100)}` : clock(at);
    const anchor = x(at) > width - 30 ? 'end' : 'middle';
    marks.push(draw('path', { d: `M${x(at)} ${TOP}V${bottom + 4}`, class: 'tick' }),
      Object.assign(draw('text', { x: x(at), y: bottom + 16, class: 'axis', 'text-anchor': anchor }), { textContent: text }));
  }
  return marks;
}

function text(x, y, cls, words, anchor = 'start') {
  const element = draw('text', { x, y, class: cls, 'text-anchor': anchor });
  element.textContent = words;
  return element;
}

/** When the round that an incident ended broke, on the clock of the agent that answers: others' may differ. */
function brokenAt(incident) {
  return picture.rounds.findLast((round) => round.number === incident.fromRound && !round.suspended)?.broken ?? null;
}

/** Whether the timeline has it. */
export const isKnown = (incident) => picture !== null && brokenAt(incident) !== null;

/** When incidents began, as far as the timeline has them. */
export const incidentTimes = () => (picture?.incidents ?? []).map(brokenAt).filter((at) => at !== null);

function crosses(x, lane) {
  const { from, to } = range();
  return picture.incidents
    .map((incident) => ({ at: brokenAt(incident), ranks: incident.ranks }))
    .filter(({ at }) => at !== null && at >= from && at <= to)
    .flatMap(({ at, ranks }) => ranks.map((rank) => {
      const [cx, cy, r] = [x(at), TOP + (rank + 0.5) * lane, Math.min(6, Math.max(4, lane / 2.5))];
      return draw('path', {
        d: `M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx + r} ${cy - r}L${cx - r} ${cy + r}`, class: 'cross',
      });
    }));
}

/** Lanes of workers that failed, until the next round: nobody works there. */
function gone(x, lane) {
  const { from, to } = range();
  return picture.incidents.flatMap((incident) => {
    const began = brokenAt(incident);
    const answer = picture.rounds.find((round) => round.number === incident.toRound && !round.suspended);
    const end = answer?.sealed ?? nowFor();
    if (began === null || end < from || began > to) {
      return [];
    }
    const left = Math.max(LABELS, x(began));
    const right = Math.min(width, Math.max(left + LEAST, x(end)));
    return incident.ranks.map((rank) =>
      draw('rect', { x: left, y: TOP + rank * lane, width: Math.max(1, right - left), height: lane, class: 'gone', fill: fill('gone') }));
  });
}

/** The same as the picture shows, for those who do not see it. */
function inWords(all) {
  keyed(byId('timeline-words'), all.slice(-WORDS).reverse(), ({ round }) => `${round.sealed}-${round.number}`, () => make('li'),
    (item, { round, parts }) => {
      const phases = parts.map((part) => `${PHASES[part.phase]} for ${duration(part.to - part.from)}`).join(', then ');
      const failed = picture.incidents.filter((incident) => incident.fromRound === round.number && !round.suspended)
        .flatMap((incident) => incident.ranks);
      const who = failed.length > 0 ? ` ${failed.length === 1 ? 'Rank' : 'Ranks'} ${failed.join(', ')} failed in it.` : '';
      setText(item, `${round.suspended ? `Pause after round ${round.number}` : `Round ${round.number}`} from ${clock(round.sealed)}, `
        + `${round.suspended ? '' : `${plural(round.worldSize, 'worker')}: `}${round.cause}. ${round.suspended ? 'All' : 'Its'} workers: ${phases}.${who}`);
    });
}

function choice(x, lane, all) {
  const band = chosen && all.find((one) => one.round.sealed === chosen.sealed);
  if (!band) {
    return [];
  }
  const left = Math.max(LABELS, x(band.round.sealed));
  const right = Math.min(width, Math.max(left + LEAST, x(band.end)));
  const box = { x: left, width: Math.max(LEAST, right - left) };
  const rank = Math.min(chosen.rank, Math.max(0, band.round.worldSize - 1));
  return [
    draw('rect', { ...box, y: TOP, height: band.ranks * lane, class: 'chosen-round' }),
    draw('rect', { ...box, y: TOP + rank * lane, height: lane, class: 'chosen-lane' }),
  ];
}

function render() {
  const lanes = byId('lanes');
  width = lanes.clientWidth;
  if (!picture || picture.rounds.length === 0 || width === 0) {
    return;
  }
  const { from, to } = range();
  const ranks = Math.max(1, ...picture.rounds.map((round) => round.worldSize));
  const lane = Math.max(7, Math.min(22, 480 / ranks));
  const bottom = TOP + ranks * lane;
  const x = (at) => LABELS + ((at - from) / (to - from)) * (width - LABELS);
  const all = bands();
  const svg = draw('svg', { width, height: bottom + BOTTOM, viewBox: `0 0 ${width} ${bottom + BOTTOM}`, 'aria-hidden': 'true' },
    patterns(), ...axis(from, to, x, bottom));
  let labelled = -100;
  let free = 0;
  for (const band of all) {
    const height = band.ranks * lane;
    for (const part of band.parts.filter((one) => one.to >= from && one.from <= to)) {
      const left = Math.max(LABELS, x(part.from));
      const right = Math.min(width, Math.max(x(part.to), left + (part.phase === 'working' ? 1 : LEAST)));
      svg.append(draw('rect', {
        x: left, y: TOP, width: Math.max(1, right - left), height, class: `band ${part.phase}`, fill: fill(part.phase),
      }));
    }
    const edge = x(band.round.sealed);
    if (edge >= LABELS - 1 && edge <= width) {
      svg.append(draw('path', { d: `M${edge} ${TOP - 4}V${bottom}`, class: 'edge' }));
      if (edge >= free) {
        const label = band.round.suspended ? 'pause' : `${edge - labelled > 90 && width - edge > 60 ? 'round ' : ''}${band.round.number}`;
        const letters = label.length * LETTER;
        if (edge + 2 + letters <= width) {
          svg.append(text(edge + 2, TOP - 6, 'round', label));
        } else if (edge - 2 - letters >= free) {
          svg.append(text(edge - 2, TOP - 6, 'round', label, 'end'));
        }
        labelled = edge;
        free = edge + Math.max(26, label.length * LETTER + 8);
      }
    }
  }
  const every = lane >= 11 ? 1 : Math.ceil(11 / lane);
  for (let rank = 0; rank < ranks; rank++) {
    if (rank > 0) {
      svg.append(draw('path', { d: `M${LABELS} ${TOP + rank * lane}H${width}`, class: 'between' }));
    }
    if (rank % every === 0) {
      svg.append(text(LABELS - 6, TOP + (rank + 0.5) * lane + 4, 'lane', every === 1 || rank % (every * 2) === 0 ? String(rank) : '', 'end'));
    }
  }
  svg.append(text(2, TOP - 6, 'round', 'rank'), ...gone(x, lane), ...crosses(x, lane), ...choice(x, lane, all));
  lanes.replaceChildren(svg);
  lanes.dataset.lane = lane;
  inWords(all);
  if (chosen) {
    describe(all);
  }
}

/** What the chosen place is, in words. */
function describe(all) {
  const band = all.find((one) => one.round.sealed === chosen.sealed) ?? all.at(-1);
  const { round } = band;
  const member = hostOf(round, chosen.rank);
  const who = round.suspended ? 'All workers' : member ? `Rank ${chosen.rank} on ${member.node}` : `Rank ${chosen.rank} is not in the round`;
  const parts = band.parts.map((part) => `${PHASES[part.phase]} for ${duration(part.to - part.from)}`).join(', then ');
  const what = round.suspended ? `Pause of round ${round.number}` : `Round ${round.number}`;
  setText(byId('lane-words'),
    `${what} from ${clock(round.sealed)}, ${round.suspended ? '' : `${plural(round.worldSize, 'worker')}: `}${round.cause}. ${who}: ${parts}.`);
}

function place(event) {
  const box = byId('lanes').getBoundingClientRect();
  const { from, to } = range();
  const at = from + ((event.clientX - box.left - LABELS) / (width - LABELS)) * (to - from);
  const all = bands();
  const band = all.findLast((one) => one.round.sealed <= at) ?? all[0];
  const rank = Math.max(0, Math.floor((event.clientY - box.top - TOP) / Number(byId('lanes').dataset.lane)));
  return { sealed: band.round.sealed, rank: Math.min(rank, Math.max(0, band.round.worldSize - 1)) };
}

function move(event) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!steps || !picture || picture.rounds.length === 0) {
    return;
  }
  event.preventDefault();
  const { rounds } = picture;
  let at = rounds.findIndex((one) => chosen && one.sealed === chosen.sealed);
  at = at < 0 ? rounds.length - 1 : Math.max(0, Math.min(rounds.length - 1, at + steps[0]));
  const rank = Math.max(0, Math.min(Math.max(0, rounds[at].worldSize - 1), (chosen?.rank ?? 0) + steps[1]));
  chosen = { sealed: rounds[at].sealed, rank };
  render();
}

/** Shows an incident with a little before and after it. */
export function focusOn(incident) {
  const answer = picture.rounds.findLast((round) => round.number === incident.toRound);
  const began = brokenAt(incident);
  const ended = answer?.resumed ?? answer?.published ?? nowFor();
  const around = Math.max(500, (ended - began) * 0.4);
  zoom = { from: began - around, to: ended + around };
  chosen = answer ? { sealed: answer.sealed, rank: 0 } : null;
  near = zoom;
  byId('window-incident').hidden = false;
  byId('window-incident').firstElementChild.checked = true;
  render();
  byId('lanes').focus();
}

export function start() {
  const legend = byId('legend');
  for (const [phase, words] of Object.entries({ ...PHASES, failed: 'a worker failed', gone: 'no worker until the next round' })) {
    const sample = phase === 'failed'
      ? draw('path', { d: 'M4 3L14 11M14 3L4 11', class: 'cross' })
      : draw('rect', { width: 18, height: 14, class: `band ${phase}`, fill: fill(phase) });
    legend.append(make('li', {}, draw('svg', { width: 18, height: 14, 'aria-hidden': 'true' }, sample), make('span')));
    setText(legend.lastElementChild.lastElementChild, words);
  }
  byId('window').addEventListener('change', (event) => {
    zoom = event.target.value === 'incident' ? near : { seconds: Number(event.target.value) };
    render();
  });
  const lanes = byId('lanes');
  lanes.addEventListener('keydown', move);
  for (const kind of ['pointermove', 'pointerdown']) {
    lanes.addEventListener(kind, (event) => {
      if (picture?.rounds.length) {
        chosen = place(event);
        render();
      }
    });
  }
  new ResizeObserver(() => {
    if (lanes.clientWidth !== width) {
      render();
    }
  }).observe(lanes);
}

export function show(newest) {
  picture = newest;
  render();
}
