// SPDX-License-Identifier: Apache-2.0
// The end of one worker's log, read again every two seconds while it is followed, also when it could not be read.

import { byId, keyed, make, setText } from './dom.js';
import * as key from './key.js';
import { plural } from './words.js';

const EVERY_MILLIS = 2000;
const ANSWER_MILLIS = 10_000;

let busy = false;
let last = null;
// Most programs write to one of the two: unless somebody chose, it is the one that has something.
let isChosen = false;

/** Shows the lines that are wanted. */
function render() {
  if (last === null) {
    return;
  }
  const wanted = byId('log-query').value.toLowerCase();
  const lines = last.text.split('\n');
  const found = wanted === '' ? lines : lines.filter((line) => line.toLowerCase().includes(wanted));
  const text = byId('log-text');
  const atEnd = text.scrollHeight - text.scrollTop - text.clientHeight < 40;
  text.hidden = false;
  setText(text, found.join('\n'));
  const part = wanted === '' ? '' : `, ${plural(found.length, 'line')} with '${byId('log-query').value}'`;
  setText(byId('log-note'), `${last.place}${last.whole ? '' : ', the end of it'}${last.text ? part : ': nothing was written'}`);
  if (atEnd) {
    text.scrollTop = text.scrollHeight;
  }
}

async function read() {
  const rank = byId('log-rank').value;
  const stream = byId('log-stream').value;
  if (busy || rank === '' || !key.known()) {
    return;
  }
  busy = true;
  try {
    const answer = await key.ask('/api/log', { rank: Number(rank), stream },
      AbortSignal.timeout(ANSWER_MILLIS));
    if (answer.missing) {
      setText(byId('log-note'), answer.missing);
      return;
    }
    if (!answer.text && !isChosen && stream === 'stderr') {
      isChosen = true;
      byId('log-stream').value = 'stdout';
      return;
    }
    last = answer;
    render();
  } catch (problem) {
    setText(byId('log-note'), problem.message);
  } finally {
    busy = false;
    if (byId('log-rank').value !== rank || byId('log-stream').value !== stream) {
      read();
    }
  }
}

/** Shows the log of a rank. */
export function open(rank) {
  byId('log-rank').value = String(rank);
  byId('logs').scrollIntoView({ block: 'start' });
  byId('log-rank').focus({ preventScroll: true });
  read();
}

export function start() {
  byId('log-form').addEventListener('change', read);
  byId('log-stream').addEventListener('change', () => {
    isChosen = true;
  });
  byId('log-query').addEventListener('input', render);
  byId('log-form').addEventListener('submit', (event) => event.preventDefault());
  setInterval(() => {
    if (byId('log-follow').checked && !document.hidden) {
      read();
    }
  }, EVERY_MILLIS);
}

/** The key has come or gone. */
export function keyChanged() {
  last = null;
  byId('log-text').hidden = true;
  setText(byId('log-note'), "Logs are shown to those who know the run's key.");
  read();
}

export function show(picture) {
  const ranks = picture.ranks.filter((worker) => worker.rank !== null);
  keyed(byId('log-rank'), ranks, (worker) => worker.rank, (worker) => make('option', { value: worker.rank }),
    (option, worker) => setText(option, `${worker.rank} (${worker.node})`));
}
