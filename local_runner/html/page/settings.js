// The user's settings, which the browser stores: theme, sound, the panel that looks inside, the last game's form.
// Values are JSON. A browser that forbids keeping them keeps them until the page is closed.

const memory = new Map();

/** @returns {any} */
export function setting(name, otherwise = null) {
  if (memory.has(name)) return memory.get(name);
  try {
    const kept = localStorage.getItem(`tengen.${name}`);
    return kept === null ? otherwise : JSON.parse(kept);
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  memory.set(name, value);
  try {
    if (value === null) localStorage.removeItem(`tengen.${name}`);
    else localStorage.setItem(`tengen.${name}`, JSON.stringify(value));
  } catch { /* the memory has it */ }
}

export function toggleTheme() {
  keep("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  dispatchEvent(new Event("themechange"));
}
