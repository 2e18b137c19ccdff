// The menu "Save as" of the app. The menu saves a game of a room, of a file or of the page in a format that the server
// writes. PNG and SVG are made in the browser, from the board as it is shown.

import {connection, Refused} from "../connection.js";
import {download} from "../dom.js";
import {fileName, language, t} from "../language.js";
import {saveMenu} from "./save_menu.js";

/**
 * The menu. `what()` returns the game to save, {room}, {file, number} or {position}, with {tree} for its variations; and for
 * the file's name `game`, {board, moves, names}, and `ply`, the ply that is shown. `shown`: the Board.
 */
export function exportMenu(what, shown) {
  const formats = () => {
    const {games, formats: words} = connection.welcome;
    const held = games.find(({env}) => env === what().game.board.env).formats;
    return Object.entries(words).filter(([format]) => held.includes(format));
  };
  return saveMenu(formats, async (format) => {
    const {game, ply} = what(), drawn = format === "png" || format === "svg";
    try {
      const content = await (drawn ? picture(shown.svg, format) : written(what(), format));
      download(fileName(game, drawn ? ply : game.moves.moves.length, format), content);
    } catch (error) {
      throw error instanceof Refused ? error : new Refused(t("This cannot be saved."));
    }
  });
}

async function picture(svg, format) {
  const {drawing, pixels} = await import("../board/picture.js");
  return format === "png" ? pixels(svg) : drawing(svg);
}

async function written(what, format) {
  const answer = what.tree && format === "sgf" ? await fetch(`/tree/${what.tree}.sgf?language=${language}`) : what.position
    ? await fetch(`/export.${format}?tree=${what.tree || ""}&language=${language}`, {method: "POST", body: JSON.stringify(what.position),
        headers: {"content-type": "application/json"}})
    : await fetch(`/export/${what.room || what.file}.${format}?number=${what.number || 0}&language=${language}`);
  if (!answer.ok) throw new Refused((await answer.json().catch(() => ({}))).problem || t("This cannot be saved."));
  return answer.blob();
}
