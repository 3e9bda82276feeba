// SPDX-License-Identifier: Apache-2.0
// Tables of workers and nodes.

import { byId, keyed, make, setText } from './dom.js';
import { bytes, count, duration, rate, unknown } from './words.js';

const SIGNS = {
  working: '●', paused: '❚❚', starting: '◔', ready: '○', pending: '·', stopping: '◌', ended: '■', failed: '✕', unknown: '?',
};
const STILL_MILLIS = 5000;
// Commands that show what one worker does, with the words on their buttons.
const VIEWS = [['dump', 'Stack'], ['profile', 'Profile']];

let openLog = () => {};
let inspect = () => {};

/** @param onInspect receives a command and a rank */
export function start(onLog, onInspect) {
  openLog = onLog;
  inspect = onInspect;
}

function rankRow() {
  const cells = [
    make('th', { scope: 'row', class: 'number' }),
    make('td', { class: 'worker-state' }),
    make('td', { class: 'number' }),
    make('td', { class: 'number' }),
    make('td', { class: 'number' }),
    make('td', { class: 'number extra' }),
    make('td', { class: 'node' }),
    make('td', { class: 'number extra' }),
    make('td', { class: 'number extra' }),
    make('td', {}, make('button', { type: 'button', class: 'small' })),
    make('td', { class: 'inspect' }),
  ];
  return make('tr', {}, ...cells);
}

function state(worker) {
  const still = worker.state === 'working' && worker.stillMillis > STILL_MILLIS
    ? `, no step for ${duration(worker.stillMillis)}` : '';
  return `${SIGNS[worker.state] ?? '?'} ${worker.state}${still}`;
}

function updateRank(row, worker, commands) {
  const [rank, status, step, speed, memory, checkpoint, node, attempt, pid, log, views] = row.children;
  row.dataset.state = worker.state;
  setText(rank, worker.rank === null ? 'none' : String(worker.rank));
  setText(status, state(worker));
  setText(step, count(worker.step));
  setText(speed, rate(worker.stepsPerSecond));
  setText(memory, bytes(worker.memoryBytes));
  setText(checkpoint, count(worker.checkpoint));
  setText(node, worker.node);
  setText(attempt, String(worker.attempt));
  setText(pid, worker.pid ? String(worker.pid) : unknown);
  const button = log.firstElementChild;
  setText(button, 'Log');
  button.hidden = worker.rank === null;
  button.setAttribute('aria-label', `Log of rank ${worker.rank}`);
  button.onclick = () => openLog(worker.rank);
  views.hidden = byId('views-head').hidden;
  keyed(views, worker.rank === null ? [] : VIEWS.filter(([command]) => commands.includes(command)), ([command]) => command,
    () => make('button', { type: 'button', class: 'small' }), (view, [command, word]) => {
      setText(view, word);
      view.setAttribute('aria-label', `${word} of rank ${worker.rank}`);
      view.onclick = () => inspect(command, worker.rank);
    });
}

function nodeRow() {
  return make('tr', {}, make('th', { scope: 'row' }), make('td'), make('td'), make('td'));
}

function updateNode(row, node, run) {
  const [name, phase, ranks, note] = row.children;
  setText(name, node.node);
  setText(phase, node.phase);
  setText(ranks, node.ranks || 'none');
  const notes = [
    node.node === run.coordinator ? 'coordinator' : '',
    node.node === run.answeredBy ? 'answers this page' : '',
    node.keptOut ? `kept out: ${node.keptOut}` : '',
    node.silence ? `silent: ${node.silence}` : '',
  ];
  setText(note, notes.filter(Boolean).join(', '));
}

export function show(picture) {
  byId('views-head').hidden = !VIEWS.some(([command]) => picture.commands.includes(command));
  keyed(byId('ranks'), picture.ranks, (worker) => `${worker.node}/${worker.slot}`, rankRow,
    (row, worker) => updateRank(row, worker, picture.commands));
  keyed(byId('nodes'), picture.nodes, (node) => node.node, nodeRow, (row, node) => updateNode(row, node, picture.run));
  const by = new Map();
  picture.ranks.forEach((worker) => by.set(worker.state, (by.get(worker.state) ?? 0) + 1));
  const words = [...by].map(([name, number]) => `${number} ${name}`).join(', ');
  setText(byId('workers-title'), words ? `Workers: ${words}` : 'Workers');
}
