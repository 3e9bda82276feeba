// SPDX-License-Identifier: Apache-2.0
// Small helpers to make and change elements. Text is always set as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

export const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

export const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** Changes a text only if it is another one, so that nothing is announced or selected anew for no reason. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/**
 * Makes the children of a parent those of a list, and keeps the elements of items that stay.
 *
 * @param key names an item
 * @param create makes its element
 * @param update puts the item into the element
 */
export function keyed(parent, items, key, create, update) {
  const known = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let before = null;
  for (const item of items) {
    const name = String(key(item));
    let element = known.get(name);
    if (element) {
      known.delete(name);
    } else {
      element = create(item);
      element.dataset.key = name;
    }
    update(element, item);
    const place = before ? before.nextElementSibling : parent.firstElementChild;
    if (place !== element) {
      parent.insertBefore(element, place);
    }
    before = element;
  }
  known.forEach((element) => element.remove());
}
