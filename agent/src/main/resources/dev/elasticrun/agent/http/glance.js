// SPDX-License-Identifier: Apache-2.0
// The run in a few figures.

import { byId, keyed, make, setText } from './dom.js';
import { took } from './incidents.js';
import { clock, count, duration, kind, moment, percent, plural, rate, unknown } from './words.js';

/** That a run comes to its end is shown as an incident is, but is none. */
const ENDS = ['succeeded', 'stopped', 'left'];

const BADGES = {
  starting: ['◔', 'Starting'],
  working: ['●', 'Working'],
  recovering: ['↻', 'Recovering'],
  waiting: ['❚❚', 'Waiting'],
  ending: ['■', 'Ended'],
};
const OUTCOMES = {
  succeeded: ['✔', 'Succeeded'],
  failed: ['✕', 'Failed'],
  stopped: ['■', 'Stopped'],
  left: ['■', 'Left'],
};

/** All that incidents cost, as far as the page has them. */
function cost(all, since) {
  const incidents = all.filter((incident) => !ENDS.includes(incident.kind));
  const stalls = incidents.filter((incident) => incident.stalledMillis !== null);
  const stalled = stalls.reduce((sum, incident) => sum + incident.stalledMillis, 0);
  const lost = incidents.reduce((sum, incident) => sum + (incident.stepsLost ?? 0), 0);
  return {
    name: 'Incidents',
    value: since !== null ? `${incidents.length} or more` : count(incidents.length),
    note: incidents.length === 0 ? (since === null ? 'none so far' : `none known since ${clock(since)}`) : stalls.length === 0 ? 'not measured yet' : `paused for ${duration(stalled)} in all, ${plural(lost, 'step')} lost`
      + (since === null ? '' : ` since ${clock(since)}`),
  };
}

function figures(picture) {
  const { run, incidents, incidentsSince: since } = picture;
  const done = run.step !== null && run.total ? run.step / run.total : null;
  const nodes = run.minNodes === run.maxNodes ? `of ${run.minNodes}` : `of ${run.minNodes} to ${run.maxNodes}`;
  const left = run.etaSeconds === null || run.state === 'ending' ? '' : `about ${duration(run.etaSeconds * 1000)} left`;
  return [
    {
      name: 'Progress',
      value: run.step === null ? unknown : run.total ? percent(done) : `step ${count(run.step)}`,
      note: run.step === null
        ? 'the program reports no steps'
        : [run.total ? `step ${count(run.step)} of ${count(run.total)}` : '', left].filter(Boolean).join(', '),
      done,
    },
    { name: 'Speed', value: rate(run.stepsPerSecond), note: run.step === null && run.stepsPerSecond !== null ? 'checkpoints a second' : 'steps a second' },
    {
      name: 'Workers',
      value: count(run.worldSize),
      note: run.worldSize === 0 ? `in no round now, ${nodes} nodes` : `on ${plural(run.roundNodes, 'node')}, ${nodes}`,
    },
    { name: 'Round', value: count(run.round), note: run.round > 1 ? 'a new one for each change' : 'no change so far' },
    {
      name: 'Restarts',
      value: `${run.restartsUsed} of ${run.restartsAllowed}`,
      note: budget(run),
    },
    cost(incidents, since),
    {
      name: 'Goodput',
      value: percent(run.goodput),
      note: run.goodput === null ? (picture.files ? 'not in the events' : 'not known yet') : 'of the time is in saved steps',
    },
    { name: 'Checkpoint', value: count(run.checkpoint), note: run.checkpoint === null ? 'none yet' : 'newest version' },
  ];
}

function budget(run) {
  const isUsedUp = run.restartsUsed >= run.restartsAllowed && run.restartsAllowed > 0;
  const words = [isUsedUp ? 'none is left' : 'used of the budget'];
  if (run.restartsWithin) words.push(run.restartsWithin);
  if (run.restartsBackMs !== null && run.restartsBackMs !== undefined) {
    words.push(`the next comes back in ${Math.max(1, Math.ceil(run.restartsBackMs / 60000))} min`);
  }
  return words.join(', ');
}

function card(figure) {
  const element = make('div', { class: 'figure' }, make('dt'), make('dd', { class: 'value' }), make('dd', { class: 'note' }));
  if (figure.name === 'Progress') {
    element.append(make('dd', { class: 'meter' }, make('progress', { max: 1, 'aria-label': 'Progress of the run' })));
  }
  return element;
}

function update(element, figure) {
  const [name, value, note] = element.children;
  setText(name, figure.name);
  setText(value, figure.value);
  setText(note, figure.note);
  const meter = element.querySelector('progress');
  if (meter) {
    meter.hidden = figure.done === null || figure.done === undefined;
    meter.value = figure.done ?? 0;
  }
}

export function show(picture) {
  const { run } = picture;
  const [sign, word] = OUTCOMES[run.outcome] ?? BADGES[run.state] ?? ['?', run.state];
  setText(byId('run-name'), run.id);
  document.title = `${word}: ${run.id} – elastic-run`;
  ['glance-title', 'to-glance'].forEach((id) => setText(byId(id), picture.files && run.outcome ? 'At the end' : 'Now'));
  byId('state').dataset.state = run.outcome || run.state;
  byId('root-cause').hidden = run.rootCause === '';
  setText(byId('root-cause'), run.rootCause);
  setText(byId('state-badge'), `${sign} ${word}`);
  setText(byId('state-words'), run.words);
  keyed(byId('figures'), figures(picture), (figure) => figure.name, card, update);
  const last = picture.incidents.find((incident) => !ENDS.includes(incident.kind));
  setText(byId('last-incident'), last
    ? `Last incident: ${kind(last.kind).toLowerCase()} at ${clock(last.began)}. ${last.words.split(/\. /)[0].replace(/\.?$/, '.')}`
      + (took(last) ? ` (${took(last)})` : '')
    : picture.incidentsSince === null ? 'No incident so far.' : `No incident is known since ${clock(picture.incidentsSince)}; older events are gone.`);
  setText(
    byId('answered'),
    picture.files
      ? `Last event: ${moment(picture.now)}. Made from the events of ${plural(picture.nodes.length, 'node')}; times are of their clocks. Policy ${run.policy}. `
        + (run.coordinator ? `Last coordinator ${run.coordinator}.` : '')
      : `Answered by the agent of ${run.answeredBy}; times are of its clock. Policy ${run.policy}. `
      + (run.coordinator ? `Coordinator ${run.coordinator}.` : 'There is no coordinator now.'),
  );
}
