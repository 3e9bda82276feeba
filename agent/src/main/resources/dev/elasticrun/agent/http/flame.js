// SPDX-License-Identifier: Apache-2.0
// Where a worker spends its time: a flame graph (Gregg 2016) with its root on top. A frame is as wide as the part of the
// samples in which it or what it called was found; frames side by side are in alphabetical order, not in that of time.

import { byId, make, setText } from './dom.js';

const LEAST_PART = 0.003;
const MOST_METHODS = 12;
const KINDS = { java: 'running Java', native: 'in native code, waiting included' };

let all = null;

function parse(text) {
  const root = { name: 'all', samples: 0, own: 0, children: new Map(), parent: null };
  for (const line of text.split('\n').filter(Boolean)) {
    const end = line.lastIndexOf(' ');
    const samples = Number(line.slice(end + 1));
    let at = root;
    at.samples += samples;
    for (const name of line.slice(0, end).split(';')) {
      if (!at.children.has(name)) {
        at.children.set(name, { name: at === root ? KINDS[name] ?? name : name, samples: 0, own: 0, children: new Map(), parent: at });
      }
      at = at.children.get(name);
      at.samples += samples;
    }
    at.own += samples;
  }
  return root;
}

const percent = (samples) => `${((100 * samples) / all.samples).toFixed(1)} %`;

/** A method without its package. */
const short = (name) => name.split('.').slice(-2).join('.');

function describe(frame) {
  setText(byId('flame-words'), `${frame.name}: ${percent(frame.samples)} of ${all.samples} samples, ${percent(frame.own)} of its own`);
}

function box(frame) {
  const button = make('button', { type: 'button', title: `${frame.name}, ${percent(frame.samples)}` });
  setText(button, short(frame.name));
  button.addEventListener('click', () => zoom(frame));
  button.addEventListener('mouseenter', () => describe(frame));
  button.addEventListener('focus', () => describe(frame));
  const children = [...frame.children.values()]
    .filter((child) => child.samples / all.samples >= LEAST_PART)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const rest = frame.samples - children.reduce((sum, child) => sum + child.samples, 0);
  const row = make('div', { class: 'frames' }, ...children.map(box));
  if (rest > 0) {
    const gap = make('div');
    gap.style.flexGrow = rest;
    row.append(gap);
  }
  const element = make('div', { class: 'frame' }, button, row);
  element.style.flexGrow = frame.samples;
  return element;
}

/** Draws a frame as wide as the page, below those that called it. */
function zoom(frame) {
  let element = box(frame);
  for (let caller = frame.parent; caller; caller = caller.parent) {
    const button = make('button', { type: 'button', class: 'caller' });
    const target = caller;
    setText(button, short(caller.name));
    button.addEventListener('click', () => zoom(target));
    element = make('div', { class: 'frame' }, button, make('div', { class: 'frames' }, element));
  }
  byId('flame-frames').replaceChildren(element);
  describe(frame);
}

function methods() {
  const own = new Map();
  const walk = (frame) => {
    own.set(frame.name, (own.get(frame.name) ?? 0) + frame.own);
    frame.children.forEach(walk);
  };
  walk(all);
  return [...own].filter(([, samples]) => samples > 0).sort((one, other) => other[1] - one[1]).slice(0, MOST_METHODS);
}

export function hide() {
  byId('flame').hidden = true;
}

/** @param text stacks, each with its number of samples, a line each */
export function show(text) {
  all = parse(text);
  byId('flame').hidden = all.samples === 0;
  if (all.samples > 0) {
    byId('flame-methods').replaceChildren(...methods().map(([name, samples]) => {
      const item = make('li');
      setText(item, `${percent(samples)} ${name}`);
      return item;
    }));
    zoom(all);
  }
}
