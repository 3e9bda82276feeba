// SPDX-License-Identifier: Apache-2.0
// What workers of a run that has ended wrote: the end of a file, the lines of it that have a text, or all of it.

import { byId, keyed, make, setText } from './dom.js';
import { bytes } from './words.js';

let newest = null;

const address = (what) => `api/${what}?file=${encodeURIComponent(byId('file-name').value)}`;

async function read() {
  const name = byId('file-name').value;
  byId('file-download').hidden = name === '';
  if (name === '') {
    setText(byId('log-note'), 'No worker of this run has left a log here.');
    return;
  }
  byId('file-download').href = address('download');
  try {
    const answer = await fetch(`${address('log')}&q=${encodeURIComponent(byId('file-query').value)}`);
    if (!answer.ok) {
      setText(byId('log-note'), await answer.text());
      return;
    }
    const { note, text } = await answer.json();
    byId('log-text').hidden = text === '';
    setText(byId('log-text'), text);
    setText(byId('log-note'), note);
    byId('log-text').scrollTop = byId('log-text').scrollHeight;
  } catch (problem) {
    setText(byId('log-note'), problem.message);
  }
}

/** Chooses the standard error of a worker, or what there is of it. */
function choose(worker) {
  const own = newest.files.filter((file) => file.node === worker.node && file.slot === worker.slot
    && file.attempt === worker.attempt);
  const file = own.find((one) => one.stream === 'stderr' && one.bytes > 0) ?? own[0];
  if (file) {
    byId('file-name').value = file.name;
  }
}

/** Shows the log of a rank. */
export function open(rank) {
  choose(newest.ranks.find((one) => one.rank === rank));
  byId('logs').scrollIntoView({ block: 'start' });
  byId('file-name').focus({ preventScroll: true });
  read();
}

export const isPast = () => newest !== null;

/** Nothing of a live run has files. */
export function show(picture) {
  if (!picture.files) {
    return;
  }
  const first = newest === null;
  newest = picture;
  ['log-form', 'actions', 'to-actions'].forEach((id) => { byId(id).hidden = true; });
  ['file-form', 'to-runs'].forEach((id) => { byId(id).hidden = false; });
  keyed(byId('file-name'), picture.files, (file) => file.name, (file) => make('option', { value: file.name }),
    (option, file) => setText(option, `${file.name} (${file.bytes ? bytes(file.bytes) : 'empty'})`));
  if (first) {
    byId('file-form').addEventListener('submit', (event) => {
      event.preventDefault();
      read();
    });
    byId('file-name').addEventListener('change', read);
    const failed = picture.ranks.find((worker) => worker.state === 'failed');
    if (failed) {
      choose(failed);
    }
    read();
  }
}
