// The user's settings in the browser's local storage, as JSON: theme, sound, panel "look inside", form of the last
// game. Storage can be assumed to work, because a browser that blocks storage also blocks the server's cookie.

/** @returns {any} */
export const setting = (name, otherwise = null) => JSON.parse(localStorage.getItem(`tengen.${name}`)) ?? otherwise;

export function keep(name, value) {
  localStorage.setItem(`tengen.${name}`, JSON.stringify(value));
}
