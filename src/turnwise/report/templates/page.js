"use strict";
/* The page outside the player: theme, and the words for a cell of a win table. */
(function () {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  document.getElementById("theme").addEventListener("click", function () {
    const now = root.dataset.theme || (dark.matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });
  for (const table of document.querySelectorAll("table.wins")) {
    const words = table.parentElement.parentElement.querySelector(".cell-words");
    const tell = function (event) {
      const cell = event.target.closest("td[data-words]");
      if (cell) words.textContent = cell.dataset.words + (cell.matches("[data-row]") ? " Click, or press Enter, to list and watch its games." : "");
    };
    const open = function (event) {
      const cell = event.target.closest("td[data-row]");
      if (!cell || (event.type === "keydown" && event.key !== "Enter")) return;
      table.dispatchEvent(new CustomEvent("games-of-cell", { bubbles: true, detail: cell }));
    };
    table.addEventListener("click", open);
    table.addEventListener("keydown", open);
    table.addEventListener("pointerover", tell);
    table.addEventListener("focusin", tell);
  }
  window.addEventListener("beforeprint", function () {
    for (const hidden of document.querySelectorAll("details:not([open])")) {
      hidden.open = true;
      hidden.dataset.opened = "";
    }
  });
  window.addEventListener("afterprint", function () {
    for (const shown of document.querySelectorAll("details[data-opened]")) {
      shown.open = false;
      delete shown.dataset.opened;
    }
  });
})();
