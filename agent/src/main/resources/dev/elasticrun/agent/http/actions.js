// SPDX-License-Identifier: Apache-2.0
// The key, and what can be done with it. Nothing is done before it was confirmed.

import { byId, keyed, make, setText } from './dom.js';
import * as flame from './flame.js';
import * as key from './key.js';

const COMMANDS = {
  drain: ['Drain a node', 'Its workers leave the run in order, and the others go on without them.', [['node', 'Node']]],
  scale: ['Scale', 'The run grows or shrinks to this number of nodes.', [['nodes', 'Nodes, as MIN:MAX']]],
  restart: ['Restart all workers', 'All workers are stopped and started again from the newest checkpoint.', []],
  dump: ['Dump threads', "Shows what the threads of a worker do now; it works on.", [['rank', 'Rank']]],
  profile: ['Profile', 'The JVM of a worker records for 10 s where it spends its time; it works on.', [['rank', 'Rank']]],
  stop: ['Stop the run', 'All workers of all nodes are stopped, and the run ends.', []],
};

let keyListener = () => {};
let newest = null;

function field(name, label) {
  if (name === 'node') {
    return make('select', { id: 'field-node', name }, ...(newest?.nodes ?? []).map((node) => {
      const option = make('option', { value: node.node });
      setText(option, node.node);
      return option;
    }));
  }
  return make('input', { id: `field-${name}`, name, required: true, autocomplete: 'off', inputmode: name === 'rank' ? 'numeric' : null,
    placeholder: label });
}

/** @param given what is known of the fields already, by name */
function confirm(command, given = {}) {
  if (!key.known()) {
    setText(byId('command-answer'), "Refused: this needs the run's key.");
    byId('key-field').focus();
    return;
  }
  const [title, words, fields] = COMMANDS[command] ?? [command, '', []];
  setText(byId('confirm-title'), `${title}?`);
  setText(byId('confirm-words'), `Run ${newest?.run.id ?? ''}: ${words}`);
  setText(byId('confirm-yes'), title);
  byId('confirm-yes').classList.toggle('ending', command === 'stop');
  byId('confirm-fields').replaceChildren(...fields.map(([name, label]) => {
    const text = make('label', { for: `field-${name}` });
    setText(text, label);
    const input = field(name, label);
    input.value = given[name] ?? input.value;
    return make('p', {}, text, ' ', input);
  }));
  const dialog = byId('confirm');
  dialog.returnValue = 'no';
  dialog.onclose = () => {
    if (dialog.returnValue === 'yes') {
      // The event of an earlier closing may come only now: there is one more to come, and nothing to be done again.
      dialog.returnValue = 'no';
      const given = [...byId('confirm-fields').querySelectorAll('input, select')].map((one) => [one.name, one.value.trim()]);
      send(command, Object.fromEntries(given));
    }
  };
  dialog.showModal();
}

/** Shows what the worker with a rank does, by one of the commands for that, once it is confirmed. */
export function inspect(command, rank) {
  byId('actions').scrollIntoView({ block: 'start' });
  confirm(command, { rank: String(rank) });
}

async function send(command, given) {
  const answer = byId('command-answer');
  answer.classList.toggle('code', command === 'dump');
  setText(answer, command === 'profile' ? 'Recording for 10 s…' : 'Asking the agent…');
  flame.hide();
  try {
    const { accepted, words } = await key.ask('/api/command', { command, arguments: given });
    const stacks = accepted && command === 'profile' ? words.indexOf('\n') : -1;
    setText(answer, `${accepted ? 'Done: ' : 'Refused: '}${stacks < 0 ? words : words.slice(0, stacks)}`);
    if (stacks >= 0) {
      flame.show(words.slice(stacks + 1));
    }
  } catch (problem) {
    setText(answer, `Refused: ${problem.message}`);
  }
}

function showKey(words) {
  const has = key.known() !== null;
  byId('key-field').hidden = has;
  byId('key-form').querySelector('label').hidden = has;
  byId('key-button').hidden = has;
  byId('key-forget').hidden = !has;
  setText(byId('key-note'), words);
}

/** Asks the agent whether the key is the run's; it is not kept if not. */
async function tryKey() {
  try {
    await key.ask('/api/key', {});
    showKey('The key is right: logs and actions are open in this tab.');
  } catch (problem) {
    key.forget();
    showKey(problem.message);
  }
  keyListener();
}

export function start(onKey) {
  keyListener = onKey;
  byId('key-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const given = byId('key-field').value;
    byId('key-field').value = '';
    if (!key.looksRight(given)) {
      showKey('A key is 32 hexadecimal digits or more; elastic-run dashboard prints an address that holds it.');
      return;
    }
    key.remember(given);
    tryKey();
  });
  byId('key-forget').addEventListener('click', () => {
    key.forget();
    showKey('Forgotten in this tab.');
    keyListener();
  });
  if (!key.canProve()) {
    showKey(key.noCrypto);
    byId('key-field').disabled = true;
    byId('key-button').disabled = true;
  } else if (key.known()) {
    tryKey();
  } else {
    showKey('Reading needs no key. Logs and actions do: elastic-run dashboard on a host of the run prints an address that holds it.');
  }
}

export function show(picture) {
  newest = picture;
  keyed(byId('commands'), picture.commands, (name) => name, (name) => {
    const button = make('button', { type: 'button' });
    setText(button, COMMANDS[name]?.[0] ?? name);
    button.addEventListener('click', () => confirm(name));
    return button;
  }, () => {});
}
