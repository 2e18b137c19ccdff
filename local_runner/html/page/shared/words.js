// Texts that the app, the reports and the pages of saved games share. In all modules, `t(text, fields)` translates a
// text and fills its fields; `number(value, digits)` writes a number in the page's language.

/** The default for `t`: returns the English text with its fields filled. */
export function filled(text, fields = {}) {
  return text.replace(/{(\w+)}/g, (all, name) => (name in fields ? String(fields[name]) : all));
}

/** A function that writes numbers in a language. `digits`: after the decimal point; by default as needed, at most 3. */
export function numberIn(language) {
  const formats = new Map(); // kept, because making a format is slow
  return (value, digits = undefined) => {
    if (!formats.has(digits)) {
      formats.set(digits, new Intl.NumberFormat(language === "zh" ? "zh-CN" : "en",
        {minimumFractionDigits: digits, maximumFractionDigits: digits}));
    }
    return formats.get(digits).format(value);
  };
}

/** A function that shortens large numbers: 12 k and 3.4 M in English, 1.2 万 and 3.4 亿 in Chinese. As `brief` of amounts.py. */
export function briefIn(language) {
  const number = numberIn(language), chinese = language === "zh";
  const [step, exact, units] = chinese ? [1e4, 100, ["", " 万", " 亿"]] : [1e3, 10, ["", " k", " M", " G"]];
  return (value) => {
    let at = 0;
    for (; value >= step && at < units.length - 1; at++) value /= step;
    return number(value, at && value < exact ? 1 : 0) + units[at];
  };
}

/** The time of a move in words: in ms below one second, else in s. */
export function duration(seconds, t, number) {
  if (seconds < 1) return t("{n} ms", {n: number(1000 * seconds, seconds < 0.01 ? 1 : 0)});
  return t("{n} s", {n: number(seconds, seconds < 10 ? 1 : 0)});
}

/** The name of a side: 1 Black, 2 White. `kind`: of the board; on "marks" the sides are crosses and noughts. */
export const sideName = (side, t, kind = "") => (kind === "marks" ? [t("Cross"), t("Nought")] : [t("Black"), t("White")])[side - 1];

/** A sentence about Black and White, for a kind of board; on "marks" about crosses and noughts. */
export const spoken = (sentence, t, kind) => (kind !== "marks" ? sentence
  : [1, 2].reduce((text, side) => text.replaceAll(sideName(side, t), sideName(side, t, kind)), sentence));

/** The name of a file with a game or its board: the game, the players, the moves. `ending`: its format. */
export function fileName({board, names = []}, plies, ending) {
  const parts = [board.env.replace(/_1v1$/, ""), names.filter(Boolean).join("-"), String(plies)];
  return `${parts.map((part) => part.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")).filter(Boolean).join("_")}.${ending}`;
}

/** The name of a cell, such as h8: a letter for the column, then the number of the row, 1 at the top. -1: a pass. */
export const cellName = (cell, board, t) => (cell < 0 ? t("pass")
  : columnName(cell % board.cols) + (Math.floor(cell / board.cols) + 1));

export const columnName = (col) => "abcdefghijklmnopqrstuvwxyz"[col];
