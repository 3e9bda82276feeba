// SPDX-License-Identifier: Apache-2.0
// What happened, newest first, and what it cost.

import { byId, keyed, make, setText } from './dom.js';
import { focusOn, isKnown } from './timeline.js';
import { clock, duration, kind, plural } from './words.js';

function item() {
  return make('li', {},
    make('div', { class: 'incident-head' },
      make('time'), make('strong'), make('span', { class: 'took' }),
      make('button', { type: 'button', class: 'small' })),
    make('p'),
    make('div', { class: 'costs', 'aria-hidden': 'true' }, make('div', { class: 'cost' }), make('div', { class: 'cost' })),
    make('ul', { class: 'phases', 'aria-label': 'What it cost' }));
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

function update(element, incident) {
  const [head, words, costs, phases] = element.children;
  const [time, name, note, button] = head.children;
  setText(time, clock(incident.began));
  time.setAttribute('datetime', new Date(incident.began).toISOString());
  setText(name, kind(incident.kind));
  setText(note, took(incident));
  setText(words, incident.words);
  setText(button, 'Show');
  button.hidden = !isKnown(incident);
  button.setAttribute('aria-label', `Show in the timeline: ${kind(incident.kind)} at ${clock(incident.began)}`);
  button.onclick = () => focusOn(incident);
  cost(costs, incident);
  const told = incident.phases.map((phase, part) => ({ ...phase, part }));
  if (told.length > 0 && incident.hardMillis !== null) {
    told.push({ name: 'a restart of all workers, for comparison:', millis: incident.hardMillis, part: 'hard' });
  }
  keyed(phases, told, (phase) => phase.part, () => make('li'), (part, phase) => {
    part.dataset.part = phase.part;
    // A number and its unit stay in one line.
    setText(part, `${phase.name} ${duration(phase.millis).replaceAll(' ', '\u00a0')}`);
  });
}

export function show(picture) {
  // A pause within a round has the number of the incident before.
  const key = (incident) => (incident.kind === 'store_unreachable' ? `${incident.number} ${incident.began}` : incident.number);
  keyed(byId('incident-list'), picture.incidents, key, item, update);
  byId('no-incidents').hidden = picture.incidents.length > 0;
}
