// The page of one demo: what its address asks for. `wayfare-demo.js` says what that can be.

const path_to_root = "../";

{
  const asked = new URLSearchParams(location.search);
  const { classList } = document.documentElement;
  const figure = document.querySelector("figure.demo");
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  if ((asked.get("theme") ?? dark) === "dark") classList.add("navy");
  if (asked.get("controls") === "off") classList.add("bare");
  if (asked.has("forces")) figure.dataset.forces = asked.get("forces") !== "off";
  for (const pair of (asked.get("set") ?? "").split(" ").filter(Boolean)) {
    const [key, value] = pair.split("=");
    for (const input of figure.querySelectorAll("input")) {
      if (!input.dataset.keys.split(" ").includes(key)) continue;
      input.value = value;
      input.closest("label").querySelector("output").value = input.value;
    }
  }
}
