// A layer of an SVG, drawn from a list of items. An update changes only the elements of items that have changed.
//
// An item is {key, tag, attributes, text, title, fresh}. An element is kept while the list has an item with the same
// key and tag. An item with `fresh` gets a new element when it changes, so that its animation runs again.

import {s} from "../dom.js";

export class Layer {
  constructor(name, parent) {
    this.group = s("g", {class: `layer ${name}`});
    this.drawn = new Map(); // drawn items by key: {element, item, sign}
    parent.append(this.group);
  }

  update(items) {
    const keys = new Set(items.map(({key}) => key));
    for (const [key, {element}] of this.drawn) {
      if (keys.has(key)) continue;
      element.remove();
      this.drawn.delete(key);
    }
    let below = null; // later items are drawn above earlier ones
    for (const item of items) {
      const known = this.drawn.get(item.key), sign = JSON.stringify(item);
      let element = known?.element;
      if (known?.sign !== sign) {
        const same = known?.item.tag === item.tag && !item.fresh;
        if (same) change(element, known.item, item);
        else element = this.#made(item, element);
        this.drawn.set(item.key, {element, item, sign});
      }
      const next = below ? below.nextSibling : this.group.firstChild;
      if (element !== next) this.group.insertBefore(element, next);
      below = element;
    }
  }

  #made(item, old) {
    const element = s(item.tag, item.attributes);
    change(element, {}, item);
    old?.replaceWith(element);
    return element;
  }
}

function change(element, before, item) {
  for (const name in before.attributes) if (!(name in item.attributes)) element.removeAttribute(name);
  for (const name in item.attributes) {
    if (before.attributes?.[name] !== item.attributes[name]) element.setAttribute(name, item.attributes[name]);
  }
  if (item.text === before.text && item.title === before.title) return;
  element.textContent = item.text ?? "";
  if (item.title) element.append(s("title", {}, item.title));
}
