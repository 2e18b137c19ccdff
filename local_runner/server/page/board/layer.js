// A layer of an SVG, drawn from a list of items. An update replaces only the elements of items that have changed.
//
// An item is {key, tag, attributes, text, title}. An element is kept while the list has an equal item, so that a stone's
// animation runs once.

import {s} from "../dom.js";

export class Layer {
  constructor(name, parent) {
    this.group = s("g", {class: `layer ${name}`});
    this.drawn = new Map(); // drawn items by key: {element, sign}
    parent.append(this.group);
  }

  update(items) {
    const drawn = new Map(items.map((item) => {
      const known = this.drawn.get(item.key), sign = JSON.stringify(item);
      return [item.key, known?.sign === sign ? known : {element: elementOf(item), sign}];
    }));
    for (const [key, {element}] of this.drawn) if (drawn.get(key)?.element !== element) element.remove();
    let next = this.group.firstChild; // later items are drawn above earlier ones
    for (const {element} of drawn.values()) {
      if (element === next) next = next.nextSibling; else this.group.insertBefore(element, next);
    }
    this.drawn = drawn;
  }
}

/** The element of an item. */
export const elementOf = ({tag, attributes, text, title}) => s(tag, attributes, text, title && s("title", {}, title));
