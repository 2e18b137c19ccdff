// A form that asks for a game, as a file or as moves in a text. Used by Analyse and Replay. Elements: #file,
// #paste-game, #paste, #paste-go, #from-start.

import {connection, Refused} from "../connection.js";
import {button, choice, field, h, put} from "../dom.js";
import {filePicker} from "./drop.js";
import {analyse, hand, openFile} from "./handed.js";
import {t} from "../language.js";
import {read} from "./position_text.js";

const FILES = ".json,.jsonl,.log,.txt,.pos,.csv,.sgf,.ggf,.pgn,.wtb,.psq";

/** Show the form. `part`: where pasted moves open, "analyse" or "replay". */
export function askForGame(main, heading, verb, part) {
  const {games} = connection.welcome;
  const select = choice({id: "paste-game"}, games.map((game) => [game.env, game.title]), null, () => sizes());
  const text = h("textarea", {id: "paste", rows: 3, spellcheck: "false", placeholder: "h8h9i9g8"});
  const size = h("select", {id: "paste-size"});
  const kind = () => games.find((game) => game.env === select.value);
  const sizes = () => {
    size.parentElement.hidden = kind().sizes.length < 2;
    put(size, kind().sizes.map((n) => h("option", {value: n, selected: n === kind().rows}, `${n} × ${n}`)));
    text.placeholder = kind().start === "discs" ? "f5d6c3d3" : kind().rows < 5 ? "b2a1c3" : "h8h9i9g8";
  };
  const go = async (empty = false) => {
    if (empty) text.value = "";
    else if (!text.value.trim()) throw new Refused(t("Nothing is pasted yet. Put in moves such as {moves}, or a board.", {moves: text.placeholder}));
    const wanted = Number(size.value) === kind().rows ? null : Number(size.value);
    connection.check();
    const {position, problem} = await read(text.value, kind(), wanted);
    if (problem && !position.moves.length) throw new Refused(problem);
    if (!text.isConnected) return; // another view is open now
    if (part === "analyse") await analyse({position, damage: problem});
    else location.hash = `#${part}/${hand({position, problem})}`;
  };
  put(main, h("div", {class: "narrow"}, h("h1", {tabindex: "-1"}, heading),
    h("section", {class: "panel"}, filePicker("file", t("Choose a game file, or drop it anywhere on this page"), FILES, openFile), h("p", {class: "note"},
      t("Logs of ours and of the site, match results, tournaments (.jsonl), SGF, GGF, WTHOR (.wtb), Piskvork (.psq), tables (.csv), moves as text."))),
    h("section", {class: "panel form"}, h("h2", {}, t("Or paste the moves")),
      field(t("Game"), select), field(t("Board"), size),
      h("label", {class: "field tall"}, h("span", {}, t("Moves, or a board")), text),
      h("div", {class: "row wrap"}, button(null, verb, () => go(), {id: "paste-go", class: "button primary"}),
        part === "analyse" ? button(null, t("Begin from the start position"), () => go(true), {id: "from-start"}) : null))));
  sizes();
  return {};
}
