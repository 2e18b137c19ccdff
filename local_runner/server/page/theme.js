// Sets the theme that the user has chosen before the page is drawn. Without a choice, color-scheme in app.css takes the
// system's. This is no module, because modules run only after the first paint.

document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("tengen.theme")) || "";
