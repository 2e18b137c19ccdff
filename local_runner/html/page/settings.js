// The user's settings, which the browser stores: theme, sound, the panel that looks inside, the last game's form.
// Values are JSON. A browser that stores nothing would not have the server's cookie either.

/** @returns {any} */
export const setting = (name, otherwise = null) => JSON.parse(localStorage.getItem(`tengen.${name}`)) ?? otherwise;

export function keep(name, value) {
  localStorage.setItem(`tengen.${name}`, JSON.stringify(value));
}

export function toggleTheme() {
  keep("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  dispatchEvent(new Event("themechange"));
}
