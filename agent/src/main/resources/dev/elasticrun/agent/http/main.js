// SPDX-License-Identifier: Apache-2.0
// Puts the parts of the page together.

import * as actions from './actions.js';
import * as curves from './curves.js';
import { byId, setText } from './dom.js';
import * as files from './files.js';
import * as glance from './glance.js';
import * as incidents from './incidents.js';
import * as key from './key.js';
import { follow } from './live.js';
import * as logs from './logs.js';
import * as ranks from './ranks.js';
import * as timeline from './timeline.js';

key.takeFromAddress();
timeline.start();
curves.start();
ranks.start((rank) => (files.isPast() ? files : logs).open(rank), actions.inspect);
incidents.start();
logs.start();
actions.start(logs.keyChanged);

let run = null;

function show(picture) {
  run ??= picture.run.id;
  if (run !== picture.run.id) {
    location.reload();
    return;
  }
  [glance, timeline, curves, incidents, ranks, logs, actions, files].forEach((part) => part.show(picture));
}

follow(show, (state, words) => {
  document.body.dataset.connection = state;
  setText(byId('connection'), words);
  curves.connection(state);
});
