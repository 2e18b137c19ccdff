// A drawing of the page as a file that needs no style sheet: SVG with the colours it is shown in, and PNG of that.
//
// It takes the SVG of a Board as it stands, with everything that is drawn on it. Nothing is loaded: the picture goes
// through a data: address, which the page's policy must allow.

const INHERITED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "paint-order",
  "font-family", "font-size", "font-weight", "text-anchor"];
const OWN = { opacity: "1", transform: "none", "stop-color": "rgb(0, 0, 0)", "stop-opacity": "1" }; // and what needs no word
const WIDTH = 1200; // pixels of a PNG, at least

/** The drawing as a text of SVG. */
export function drawing(shown) {
  for (const animation of shown.getAnimations({ subtree: true })) animation.finish();
  const copy = shown.cloneNode(true), { width, height } = shown.viewBox.baseVal;
  settle(shown, copy, null);
  for (const name of ["aria-hidden", "focusable"]) copy.removeAttribute(name);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

/** The drawing as PNG, a promise of a Blob. */
export async function pixels(shown) {
  const { width, height } = shown.viewBox.baseVal, scale = Math.max(1, WIDTH / width), image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing(shown))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

/** Write the style of an element and of all below it into the copy, where it is another than the parent's. */
function settle(element, copy, parent) {
  const style = getComputedStyle(element);
  for (const name of INHERITED) {
    const value = style.getPropertyValue(name);
    if (parent?.getPropertyValue(name) === value) copy.removeAttribute(name);
    else copy.setAttribute(name, value);
  }
  for (const [name, usual] of Object.entries(OWN)) {
    const value = style.getPropertyValue(name);
    if (value !== usual) copy.setAttribute(name, value);
  }
  for (let at = 0; at < element.children.length; at++) settle(element.children[at], copy.children[at], style);
}
