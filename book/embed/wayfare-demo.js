// <wayfare-demo name="seek"></wayfare-demo>: a demo of the book on another page, or on a slide.
//
//   name        the demo
//   forces      "on" or "off": whether the arrows are shown at the start
//   controls    "off" leaves the picture alone
//   theme       "light" or "dark"; that of the reader without it
//   set         settings of its sliders: "group[1].mass=60 group[1].max_speed=4"
//
// It is 16 by 9 unless CSS gives it another size.

(() => {
  const folder = new URL(".", document.currentScript.src);
  const ASKED = ["forces", "controls", "theme", "set"];

  class WayfareDemo extends HTMLElement {
    static observedAttributes = ["name", ...ASKED];

    connectedCallback() {
      if (!this.shadowRoot) {
        this.attachShadow({ mode: "open" }).innerHTML = `<style>
          :host { display: block; aspect-ratio: 16 / 9 }
          iframe { width: 100%; height: 100%; border: 0 }
        </style><iframe loading="lazy"></iframe>`;
      }
      const name = this.getAttribute("name") ?? "";
      const page = new URL(`${encodeURIComponent(name)}.html`, folder);
      for (const key of ASKED) {
        if (this.hasAttribute(key)) page.searchParams.set(key, this.getAttribute(key));
      }
      const frame = this.shadowRoot.querySelector("iframe");
      frame.title = `Demo ${name}`;
      if (frame.src !== page.href) frame.src = page.href;
    }

    attributeChangedCallback() {
      if (this.isConnected) this.connectedCallback();
    }
  }
  customElements.define("wayfare-demo", WayfareDemo);
})();
