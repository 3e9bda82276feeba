// SPDX-License-Identifier: Apache-2.0
// Figures and times as a person reads them.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export const unknown = '–';

export const count = (value) => (value === null || value === undefined ? unknown : value.toLocaleString('en-GB'));

export function bytes(value) {
  if (!value) {
    return unknown;
  }
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(value) / 10));
  const amount = value / 2 ** (10 * unit);
  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit]}`;
}

export function rate(value) {
  if (value === null || value === undefined) {
    return unknown;
  }
  return value >= 100 ? Math.round(value).toLocaleString('en-GB') : value.toFixed(value >= 10 ? 1 : 2);
}

export function duration(millis) {
  if (millis < 1000) {
    return `${Math.max(0, Math.round(millis))} ms`;
  }
  const seconds = millis / 1000;
  if (seconds < 60) {
    return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  }
  const whole = Math.round(seconds);
  if (whole < 3600) {
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  }
  return whole < 86400
    ? `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
    : `${Math.floor(whole / 86400)} d ${Math.floor((whole % 86400) / 3600)} h`;
}

export const clock = (millis) => new Date(millis).toLocaleTimeString('en-GB', { hour12: false });

/** Like 2026-11-22 10:05:13, as everywhere else. */
export const moment = (millis) => new Date(millis).toLocaleString('sv-SE');

export const percent = (part) => (part === null || part === undefined ? unknown : `${Math.round(part * 100)} %`);

export const plural = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;

const KINDS = {
  worker_failed: 'Worker failed',
  node_lost: 'Node lost',
  node_left: 'Node left',
  left_out: 'Node left out',
  fenced: 'Node fenced',
  store_unreachable: 'Store not reachable',
  command: 'Command',
  joined: 'Node joined',
  succeeded: 'Run succeeded',
  stopped: 'Run stopped',
  failed: 'Run failed',
  left: 'Agents left',
  other: 'New round',
};

export const kind = (name) => KINDS[name] ?? name;
