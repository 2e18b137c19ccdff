// Loads the styles of the parts that are not needed at the start, when the first such part opens.

import {$, h} from "./dom.js";

/** Load the styles, and those of further files. */
export function loadMore(...files) {
  for (const file of ["more", "replay", ...files]) {
    if (!$(`#style-${file}`)) document.head.append(h("link", {rel: "stylesheet", href: `/page/${file}.css`, id: `style-${file}`}));
  }
}
