// Loads the styles of the parts that are not needed at the start, when the first such part opens.

import {$, h} from "./dom.js";

/** Load the styles, and those of further files. */
export function loadMore(...files) {
  for (const file of ["shared/more", "replay/replay", ...files]) {
    const href = `/page/${file}.css`;
    if (!$(`link[href="${href}"]`)) document.head.append(h("link", {rel: "stylesheet", href}));
  }
}
