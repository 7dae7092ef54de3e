(() => {
  const card = document.getElementById("card");
  let shown = null;
  const hide = () => {
    card.hidden = true;
    shown = null;
    document.body.classList.remove("lit");
    document.querySelectorAll(".on").forEach((one) => one.classList.remove("on"));
    document.querySelectorAll(".near").forEach((one) => one.classList.remove("near"));
  };
  const show = (chip) => {
    const entry = document.getElementById(chip.dataset.axis);
    if (!entry || shown === chip) return;
    hide();
    shown = chip;
    card.innerHTML = entry.innerHTML;
    card.className = entry.className;
    card.hidden = false;
    const at = chip.getBoundingClientRect();
    const below = at.bottom + 8 + card.offsetHeight < innerHeight || at.top < card.offsetHeight + 8;
    card.style.top = (below ? at.bottom + 8 : at.top - 8 - card.offsetHeight) + "px";
    card.style.left = Math.max(8, Math.min(at.left, innerWidth - card.offsetWidth - 8)) + "px";
    document.body.classList.add("lit");
    document.querySelectorAll(`[data-axis="${chip.dataset.axis}"]`).forEach((one) => one.classList.add("on"));
    const origin = document.querySelector(`.row[id="${(chip.getAttribute("href") || "").slice(1)}"]`);
    if (origin) origin.classList.add("near");
  };
  const chipOf = (event) => event.target instanceof Element && event.target.closest("a[data-axis]");
  document.addEventListener("mouseover", (event) => {
    const chip = chipOf(event);
    if (chip) show(chip);
    else if (!card.contains(event.target)) hide();
  });
  document.addEventListener("focusin", (event) => (chipOf(event) ? show(chipOf(event)) : hide()));
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  for (const code of document.querySelectorAll(".source .code")) {
    const fault = code.querySelector(".fault");
    const top = (row) => row.offsetTop - code.offsetTop - code.clientTop;
    const most = code.scrollHeight - code.clientHeight;
    const wanted = fault ? Math.min(top(fault) - code.clientHeight / 2, most) : 0;
    if (wanted <= 0) continue;
    const first = [...code.children].find((row) => top(row) >= wanted); // a whole line at the top
    if (top(first) > most) code.style.maxHeight = code.offsetHeight - (top(first) - most) + "px";
    code.scrollTop = top(first);
  }
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href^="#"]');
    const line = link && document.getElementById(link.getAttribute("href").slice(1));
    const folded = line && line.closest("details");
    if (folded) folded.open = true;
  });
})();
