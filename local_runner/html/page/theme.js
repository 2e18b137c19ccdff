// Dark or light, before anything is drawn: the user's choice, else what the system prefers. No module, because
// modules run only after the first paint. settings.js changes the choice later.

(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = JSON.parse(localStorage.getItem("tengen.theme"));
    document.documentElement.dataset.theme = chosen || (dark.matches ? "dark" : "light");
  };
  apply();
  dark.addEventListener("change", apply);
  addEventListener("themechange", apply);
})();
