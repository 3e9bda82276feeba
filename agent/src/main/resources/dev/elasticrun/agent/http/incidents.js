// SPDX-License-Identifier: Apache-2.0
// What happened, newest first, and what each part of the answer took.

import { byId, keyed, make, setText } from './dom.js';
import { focusOn } from './timeline.js';
import { clock, duration, kind } from './words.js';

const SHOWN = 20;

function item() {
  return make('li', {},
    make('div', { class: 'incident-head' },
      make('time'), make('strong'), make('span', { class: 'took' }),
      make('button', { type: 'button', class: 'small' })),
    make('p'),
    make('div', { class: 'cost', 'aria-hidden': 'true' }),
    make('ul', { class: 'phases', 'aria-label': 'What each part took' }));
}

function update(element, incident) {
  const [head, words, cost, phases] = element.children;
  const [time, name, took, button] = head.children;
  setText(time, clock(incident.began));
  time.setAttribute('datetime', new Date(incident.began).toISOString());
  setText(name, kind(incident.kind));
  setText(took, incident.ended === null ? 'not over yet' : duration(incident.ended - incident.began));
  setText(words, incident.words);
  setText(button, 'Show');
  button.setAttribute('aria-label', `Show in the timeline: ${kind(incident.kind)} at ${clock(incident.began)}`);
  button.onclick = () => focusOn(incident);
  const named = incident.phases.map((phase, index) => ({ ...phase, index }));
  keyed(cost, named, (phase) => phase.index, () => make('span'), (part, phase) => {
    part.style.flexGrow = Math.max(1, phase.millis);
    part.dataset.part = phase.index;
    part.title = `${phase.name}: ${duration(phase.millis)}`;
  });
  keyed(phases, named, (phase) => phase.index, () => make('li'), (part, phase) => {
    part.dataset.part = phase.index;
    setText(part, `${phase.name} ${duration(phase.millis)}`);
  });
}

export function show(picture) {
  const newest = picture.incidents.slice(0, SHOWN);
  keyed(byId('incident-list'), newest, (incident) => `${incident.number}-${incident.began}`, item, update);
  byId('no-incidents').hidden = newest.length > 0;
}
