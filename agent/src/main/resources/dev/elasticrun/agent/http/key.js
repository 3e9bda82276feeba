// SPDX-License-Identifier: Apache-2.0
// The run's key stays in this tab: it is never sent. Requests that need it carry a proof, HMAC-SHA-256 of a challenge,
// the method, the path and the body.

const STORED = 'elastic-run-key';
const FORM = /^(?:[0-9a-f]{2}){16,}$/;

export const noCrypto = 'This browser makes no proofs here: it does so only on https, or on http of its own machine. '
  + 'Forward the port (ssh -L 8080:127.0.0.1:PORT HOST) and open http://localhost:8080, or use elastic-run on the host.';

/** Takes the key out of the address, so that it is in no history and on no screen. */
export function takeFromAddress() {
  const found = /^#key=([0-9a-fA-F]+)$/.exec(location.hash);
  if (found) {
    sessionStorage.setItem(STORED, found[1].toLowerCase());
    history.replaceState(null, '', location.pathname);
  }
}

export const known = () => sessionStorage.getItem(STORED);

export const canProve = () => globalThis.crypto?.subtle !== undefined;

export const looksRight = (text) => FORM.test(text.trim().toLowerCase());

export function remember(text) {
  sessionStorage.setItem(STORED, text.trim().toLowerCase());
}

export function forget() {
  sessionStorage.removeItem(STORED);
}

const toBytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
const toHex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function prove(challenge, path, body) {
  const key = await crypto.subtle.importKey('raw', toBytes(known()), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const text = new TextEncoder().encode(`${challenge}\nPOST\n${path}\n${body}`);
  return toHex(await crypto.subtle.sign('HMAC', key, text));
}

/** Asks for something that needs the key, until the signal if there is one. Throws an error whose message is for people. */
export async function ask(path, request, signal) {
  if (!canProve()) {
    throw new Error(noCrypto);
  }
  if (!known()) {
    throw new Error("This needs the run's key.");
  }
  const body = JSON.stringify(request);
  const { challenge } = await (await fetch('/api/challenge', { signal })).json();
  const answer = await fetch(path, {
    method: 'POST',
    signal,
    headers: {
      'Content-Type': 'application/json',
      'Elastic-Run-Challenge': challenge,
      'Elastic-Run-Proof': await prove(challenge, path, body),
    },
    body,
  });
  if (answer.status === 401) {
    throw new Error('This is not the key of this run.');
  }
  const json = await answer.json();
  if (!answer.ok) {
    throw new Error(json.error ?? `The agent answered ${answer.status}.`);
  }
  return json;
}
