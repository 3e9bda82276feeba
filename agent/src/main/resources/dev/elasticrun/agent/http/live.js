// SPDX-License-Identifier: Apache-2.0
// Holds the connection to the agent: hands on every picture of the run, and shows when the agent is lost and since when.

import { clock } from './words.js';

const SILENT_MILLIS = 8000;
const RETRY_MILLIS = 2000;

/**
 * @param onPicture called with each picture
 * @param onConnection called with (state, words): connecting, live, lost or ended
 */
export function follow(onPicture, onConnection) {
  let source = null;
  let receivedAt = Date.now();
  let lostAt = null;
  let ended = false;
  let known = false;

  function received() {
    receivedAt = Date.now();
    lostAt = null;
    ended = false;
    onConnection('live', 'Live');
  }

  function open() {
    source?.close();
    source = new EventSource('api/live');
    source.addEventListener('run', (event) => {
      known = true;
      received();
      onPicture(JSON.parse(event.data));
    });
    source.addEventListener('beat', received);
    source.addEventListener('end', (event) => {
      ended = true;
      if (event.data) {
        // Nothing will change any more.
        source.close();
        clearInterval(watch);
        onConnection('ended', event.data);
        return;
      }
      onConnection('ended', `The agent ended at ${clock(Date.now())}. This is how the run was then.`);
    });
    source.addEventListener('error', check);
  }

  function check() {
    const silent = Date.now() - receivedAt > SILENT_MILLIS;
    const broken = source.readyState !== EventSource.OPEN;
    if (!broken && !silent) {
      return;
    }
    lostAt ??= broken ? Date.now() : receivedAt;
    if (!known) {
      onConnection('connecting', 'Waiting for the first answer of the agent…');
    } else if (!ended) {
      onConnection('lost', `Lost the agent at ${clock(lostAt)}. Trying again; this page shows the run as it was then.`);
    }
  }

  const watch = setInterval(() => {
    check();
    if (lostAt !== null && source.readyState !== EventSource.CONNECTING && Date.now() - receivedAt > RETRY_MILLIS) {
      open();
    }
  }, RETRY_MILLIS);
  open();
}
