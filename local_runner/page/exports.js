// The menu "Save as" of the app: a game of a room, of a file, or of the page itself, in any of the formats that the
// server writes.

import {download} from "./dom.js";
import {language, t} from "./language.js";
import {saveMenu} from "./save_menu.js";
import {tell} from "./telling.js";

const FORMATS = ["sgf", "json", "png", "svg", "gif", "html", "txt"];

/** `what()`: {room}, {file, number} or {position}. */
export function exportMenu(what) {
  return saveMenu(t, FORMATS, (format) => save(what(), format));
}

async function save(what, format) {
  try {
    const answer = what.position
      ? await fetch(`/export.${format}?language=${language}`, {method: "POST", body: JSON.stringify(what.position),
        headers: {"content-type": "application/json"}})
      : await fetch(`/export/${what.room || what.file}.${format}?number=${what.number || 0}&language=${language}`);
    if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).problem || t("This cannot be saved."));
    download(`game.${format}`, await answer.blob());
  } catch (error) {
    tell(error);
  }
}
