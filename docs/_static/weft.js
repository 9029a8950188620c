// A button on each block of code copies it.
document.addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll("div.highlight")) {
    const code = block.querySelector("pre");
    if (!code) continue;
    const button = document.createElement("button");
    button.className = "copy";
    button.type = "button";
    button.textContent = "copy";
    button.setAttribute("aria-label", "Copy this block");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.innerText);
        button.textContent = "copied";
      } catch {
        button.textContent = "not allowed here";
      }
      setTimeout(() => (button.textContent = "copy"), 1500);
    });
    block.append(button);
  }
});

// Short code in a sentence is not broken, so that an option keeps its dashes.
document.addEventListener("DOMContentLoaded", () => {
  for (const code of document.querySelectorAll("article p code, article li code"))
    if (code.textContent.length <= 24 && !code.closest("td")) code.style.whiteSpace = "nowrap";
});

// Blocks of code in a `div class="tabs"` show one language at a time; a choice holds for all pages.
document.addEventListener("DOMContentLoaded", () => {
  const names = { "highlight-cpp": "C++", "highlight-python": "Python" };
  const languageOf = (block) => Object.keys(names).find((each) => block.classList.contains(each));
  const show = (language) => {
    localStorage.setItem("weft-language", language);
    for (const tabs of document.querySelectorAll("div.tabs")) {
      const has = [...tabs.children].some((each) => languageOf(each) === language);
      if (!has) continue;
      for (const each of tabs.children) {
        if (languageOf(each)) each.hidden = languageOf(each) !== language;
        for (const button of each.matches(".languages") ? each.children : [])
          button.setAttribute("aria-selected", button.dataset.language === language);
      }
    }
  };
  for (const tabs of document.querySelectorAll("div.tabs")) {
    const bar = document.createElement("div");
    bar.className = "languages";
    bar.setAttribute("role", "tablist");
    for (const language of [...tabs.children].map(languageOf).filter(Boolean)) {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("role", "tab");
      button.dataset.language = language;
      button.textContent = names[language];
      button.addEventListener("click", () => show(language));
      bar.append(button);
    }
    tabs.prepend(bar);
  }
  const chosen = localStorage.getItem("weft-language");
  show(chosen in names ? chosen : "highlight-cpp");
});
