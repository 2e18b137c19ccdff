// Makes a file from the SVG of a Board with all its marks: an SVG that needs no style sheet, or a PNG.
//
// The PNG is drawn from the SVG as a data: address, which the page's content security policy must allow. Nothing is
// loaded from the server.

const INHERITED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "paint-order",
  "font-family", "font-size", "font-weight", "text-anchor"];
const OWN = {opacity: "1", transform: "none", "stop-color": "rgb(0, 0, 0)", "stop-opacity": "1"}; // initial values
const WIDTH = 1200; // least width of a PNG, in pixels

/** The text of the SVG file. `shown`: the SVG element of a Board. */
export function drawing(shown) {
  for (const animation of shown.getAnimations({subtree: true})) animation.finish();
  const copy = shown.cloneNode(true), {width, height} = shown.viewBox.baseVal;
  settle(shown, copy, null);
  for (const name of ["aria-hidden", "focusable"]) copy.removeAttribute(name);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

/** The PNG file, as a promise of a Blob. `shown`: the SVG element of a Board. */
export async function pixels(shown) {
  const {width, height} = shown.viewBox.baseVal, scale = Math.max(1, WIDTH / width), image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing(shown))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

/** Write the computed style of an element and its descendants as attributes into the copy, unless it is inherited. */
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
