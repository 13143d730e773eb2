"use strict";
for (const chart of document.querySelectorAll(".chart")) {
  const tip = chart.querySelector(".tip");
  const cursor = chart.querySelector(".cursor");
  const show = (hit) => {
    const box = hit.getBoundingClientRect();
    const frame = chart.getBoundingClientRect();
    const middle = Number(hit.getAttribute("x")) + Number(hit.getAttribute("width")) / 2;
    cursor.setAttribute("x1", middle);
    cursor.setAttribute("x2", middle);
    tip.textContent = hit.dataset.tip;
    tip.hidden = false;
    const left = box.left + box.width / 2 - frame.left + 10;
    tip.style.left = Math.max(0, Math.min(left, frame.width - tip.offsetWidth)) + "px";
  };
  for (const hit of chart.querySelectorAll(".hit")) {
    hit.querySelector("title").remove();
    hit.addEventListener("pointerenter", () => show(hit));
  }
  chart.querySelector("svg").addEventListener("pointerleave", () => {
    tip.hidden = true;
    cursor.setAttribute("x1", -10);
    cursor.setAttribute("x2", -10);
  });
}
