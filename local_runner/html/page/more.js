// The styles of the parts that are not needed at the start, loaded when the first of them opens.

import {$, h} from "./dom.js";

export function loadMore() {
  for (const file of ["more", "replay"]) {
    if (!$(`#style-${file}`)) document.head.append(h("link", {rel: "stylesheet", href: `/page/${file}.css`, id: `style-${file}`}));
  }
}
