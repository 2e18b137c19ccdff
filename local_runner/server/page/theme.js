// Sets the dark or light theme before the page is drawn: the user's choice, else the system's preference. This is no
// module, because modules run only after the first paint. settings.js changes the choice later.

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
