// SPDX-License-Identifier: Apache-2.0
// What happened, newest first, and what it cost.

import { byId, keyed, make, setText } from './dom.js';
import { focusOn, isKnown } from './timeline.js';
import { clock, duration, kind, plural } from './words.js';

/** Of what happened, what went wrong. */
const FAILURES = ['worker_failed', 'node_lost', 'left_out', 'fenced', 'store_unreachable', 'failed'];

let newest = null;

function item() {
  const head = make('summary', { class: 'incident-head' }, make('time'), make('strong'), make('span', { class: 'took' }));
  const element = make('li', {},
    make('details', {},
      head,
      make('p'),
      make('div', { class: 'costs', 'aria-hidden': 'true' }, make('div', { class: 'cost' }), make('div', { class: 'cost' })),
      make('ul', { class: 'phases', 'aria-label': 'What it cost' }),
      make('button', { type: 'button', class: 'small' })));
  // What somebody has opened or closed stays so.
  head.addEventListener('click', () => {
    element.dataset.chosen = 'yes';
  });
  return element;
}

/** What it cost, in a few words. */
export function took(incident) {
  if (!incident.over) {
    return 'not over yet';
  }
  const lost = incident.stepsLost === null ? '' : incident.stepsLost === 0 ? 'no step lost' : `${plural(incident.stepsLost, 'step')} lost`;
  return [incident.stalledMillis === null ? '' : `paused ${duration(incident.stalledMillis)}`, lost].filter(Boolean).join(', ');
}

/** As bars of one scale: what it took, and what a restart of all workers would have. */
function cost(bars, incident) {
  const all = incident.phases.reduce((sum, phase) => sum + phase.millis, 0);
  const longest = Math.max(all, incident.hardMillis ?? 0, 1);
  const parts = [
    incident.phases.map((phase, index) => ({ ...phase, part: index })),
    incident.hardMillis === null || incident.phases.length === 0 ? [] : [{ millis: incident.hardMillis, part: 'hard' }],
  ];
  [...bars.children].forEach((bar, index) => {
    bar.hidden = parts[index].length === 0;
    keyed(bar, parts[index], (phase) => phase.part, () => make('span'), (element, phase) => {
      element.style.width = `${(100 * phase.millis) / longest}%`;
      element.dataset.part = phase.part;
    });
  });
}

function update(element, incident, isNewest) {
  const details = element.firstElementChild;
  const [head, words, costs, phases, button] = details.children;
  const [time, name, note] = head.children;
  if (!element.dataset.chosen) {
    details.open = isNewest;
  }
  setText(time, clock(incident.began));
  time.setAttribute('datetime', new Date(incident.began).toISOString());
  setText(name, kind(incident.kind));
  setText(note, took(incident));
  setText(words, incident.words);
  setText(button, 'Show in the timeline');
  button.hidden = !isKnown(incident);
  button.setAttribute('aria-label', `Show in the timeline: ${kind(incident.kind)} at ${clock(incident.began)}`);
  button.onclick = () => focusOn(incident);
  cost(costs, incident);
  const shown = incident.phases.map((phase, part) => ({ ...phase, part }));
  if (shown.length > 0 && incident.hardMillis !== null) {
    shown.push({ name: 'a restart of all workers, for comparison:', millis: incident.hardMillis, part: 'hard' });
  }
  keyed(phases, shown, (phase) => phase.part, () => make('li'), (part, phase) => {
    part.dataset.part = phase.part;
    // A number and its unit stay in one line.
    setText(part, `${phase.name} ${duration(phase.millis).replaceAll(' ', '\u00a0')}`);
  });
}

function showList() {
  // A pause within a round has the number of the incident before.
  const key = (incident) => (incident.kind === 'store_unreachable' ? `${incident.number} ${incident.began}` : incident.number);
  const isFailure = (incident) => FAILURES.includes(incident.kind);
  const all = newest.incidents;
  const only = byId('failures-only').checked;
  const shown = only ? all.filter(isFailure) : all;
  keyed(byId('incident-list'), shown, key, item, (element, incident) => update(element, incident, incident === shown[0]));
  byId('failures-label').hidden = !only && all.every(isFailure);
  byId('no-incidents').hidden = shown.length > 0;
  setText(byId('no-incidents'), all.length > 0 ? 'No failure so far.' : 'None so far.');
}

export function start() {
  byId('failures-only').addEventListener('change', showList);
}

export function show(picture) {
  newest = picture;
  showList();
}
