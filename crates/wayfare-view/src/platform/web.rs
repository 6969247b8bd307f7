//! The viewer on a page: its canvas, the page's address, and what tests read.
//!
//! The page keeps `document.body.dataset.state` (`loading`, `running`, `paused`, `error`),
//! `.scene`, `.tick`, `.agents` and `.digest` current, where two scenes are compared `.compare` and
//! `.otherDigest`, and `window.wayfare.rect(name)` gives the place of a control (pixels of the
//! page).

#![allow(unreachable_pub)] // Reached from the page, which the compiler does not see.

use std::cell::RefCell;
use std::collections::BTreeMap;

use eframe::egui::Rect;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsError, JsValue, wasm_bindgen};

use crate::app::{Gallery, Opening};
use crate::platform::host::Report;

thread_local! {
    /// Where controls are, by their names.
    static PLACES: RefCell<BTreeMap<String, Rect>> = const { RefCell::new(BTreeMap::new()) };
    /// The files that were chosen and not opened yet.
    static CHOSEN: RefCell<Vec<(String, Vec<u8>)>> = const { RefCell::new(Vec::new()) };
    /// What the page was told last.
    static TOLD: RefCell<Option<Report>> = const { RefCell::new(None) };
    /// The scene's text as it is now.
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Opens the viewer on the page's canvas; the address says which scene (`?scene=NAME`), at which
/// tick it stops (`&until=TICK`), how fast time passes (`&speed=2`), and the text of a scene that
/// was edited (`&text=…`).
///
/// # Errors
/// There is no such canvas, or no WebGL 2.
#[wasm_bindgen]
pub async fn start(canvas: &str) -> Result<(), JsValue> {
    let document = document().ok_or_else(|| JsError::new("there is no page"))?;
    let canvas = document
        .get_element_by_id(canvas)
        .and_then(|element| element.dyn_into::<web_sys::HtmlCanvasElement>().ok());
    let canvas = canvas.ok_or_else(|| JsError::new("the page has no canvas"))?;
    let asked = |key: &str| parameters()?.get(key);
    let opening = Opening {
        scene: asked("scene"),
        until: asked("until").and_then(|tick| tick.parse().ok()),
        speed: asked("speed").and_then(|speed| speed.parse().ok()),
        tour: asked("tour").and_then(|step| step.parse().ok()),
        compare: asked("compare"),
        text: asked("text"),
    };
    eframe::WebRunner::new()
        .start(
            canvas,
            eframe::WebOptions::default(),
            Box::new(|cc| Ok(Box::new(Gallery::new(cc, opening)))),
        )
        .await
}

/// The names of all controls that are shown.
#[wasm_bindgen]
pub fn controls() -> Vec<String> {
    PLACES.with_borrow(|places| places.keys().cloned().collect())
}

/// The text of the scene that is shown, as it is now.
#[wasm_bindgen]
pub fn text() -> String {
    TEXT.with_borrow(String::clone)
}

/// The place of the control of this name: x, y, width, height; nothing if it is not shown.
#[wasm_bindgen]
pub fn rect(name: &str) -> Option<Vec<f32>> {
    PLACES.with_borrow(|places| {
        places.get(name).map(|rect| vec![rect.min.x, rect.min.y, rect.width(), rect.height()])
    })
}

/// Where the agent of this id is on the page: x, y; nothing if there is none.
#[wasm_bindgen]
pub fn agent(id: u32) -> Option<Vec<f32>> {
    PLACES.with_borrow(|places| {
        places.get(&format!("agent:{id}")).map(|rect| vec![rect.center().x, rect.center().y])
    })
}

/// Where the middle of the obstacle of this index is on the page: x, y; nothing if there is none.
#[wasm_bindgen]
pub fn obstacle(index: u32) -> Option<Vec<f32>> {
    PLACES.with_borrow(|places| {
        places.get(&format!("obstacle:{index}")).map(|rect| vec![rect.center().x, rect.center().y])
    })
}

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

fn parameters() -> Option<web_sys::UrlSearchParams> {
    web_sys::UrlSearchParams::new_with_str(&web_sys::window()?.location().search().ok()?).ok()
}

pub(crate) fn begin() {
    PLACES.with_borrow_mut(BTreeMap::clear);
}

pub(crate) fn place(control: &str, rect: Rect) {
    PLACES.with_borrow_mut(|places| places.insert(control.to_string(), rect));
}

pub(crate) fn tell_text(text: &str) {
    TEXT.with_borrow_mut(|told| {
        if told != text {
            *told = text.to_string();
        }
    });
}

pub(crate) fn tell(report: &Report) {
    let news = TOLD.with_borrow_mut(|told| {
        let news = told.as_ref() != Some(report);
        *told = Some(report.clone());
        news
    });
    let Some(body) = document().and_then(|document| document.body()).filter(|_| news) else {
        return;
    };
    let data = body.dataset();
    // A page that refuses to be told is no reason to stop.
    let _ = data.set("state", report.state.word());
    let _ = data.set("scene", &report.scene);
    let _ = data.set("tick", &report.tick.to_string());
    let _ = data.set("agents", &report.agents.to_string());
    let hex =
        |digest: Option<u64>| digest.map_or_else(String::new, |digest| format!("{digest:016x}"));
    let _ = data.set("digest", &hex(report.digest));
    let (compare, other) =
        report.compare.as_ref().map_or(("", None), |(name, digest)| (name.as_str(), *digest));
    let _ = data.set("compare", compare);
    let _ = data.set("otherDigest", &hex(other));
}

pub(crate) fn ask(key: &str, value: Option<&str>) {
    let write = || -> Option<()> {
        let window = web_sys::window()?;
        let asked = parameters()?;
        match value {
            _ if asked.get(key).as_deref() == value => return None,
            Some(value) => asked.set(key, value),
            None => asked.delete(key),
        }
        let address = format!("?{}", asked.to_string().as_string()?);
        window.history().ok()?.replace_state_with_url(&JsValue::NULL, "", Some(&address)).ok()
    };
    let _ = write();
}

/// The page's address without what it was asked for.
pub(crate) fn page() -> String {
    let location = web_sys::window().map(|window| window.location());
    location.and_then(|it| Some(it.origin().ok()? + &it.pathname().ok()?)).unwrap_or_default()
}

/// Lets the person choose a file.
pub(crate) fn choose(ctx: &eframe::egui::Context) {
    let element = document().and_then(|document| document.create_element("input").ok());
    let Some(input) =
        element.and_then(|element| element.dyn_into::<web_sys::HtmlInputElement>().ok())
    else {
        return;
    };
    input.set_type("file");
    input.set_accept(".toml,.json,.jsonl");
    let (from, ctx) = (input.clone(), ctx.clone());
    let changed = Closure::once_into_js(move || {
        let Some(file) = from.files().and_then(|files| files.get(0)) else { return };
        wasm_bindgen_futures::spawn_local(async move {
            let name = file.name();
            // A file that has gone since then is none.
            if let Ok(buffer) = file.array_buffer().await {
                CHOSEN.with_borrow_mut(|chosen| {
                    chosen.push((name, js_sys::Uint8Array::new(&buffer).to_vec()))
                });
                ctx.request_repaint();
            }
        });
    });
    input.set_onchange(Some(changed.unchecked_ref()));
    input.click();
}

/// Reads a file that was dropped on the page.
pub(crate) fn dropped(ctx: &eframe::egui::Context, file: eframe::egui::DroppedFileHandle) {
    let ctx = ctx.clone();
    wasm_bindgen_futures::spawn_local(async move {
        let name = file.path().display().to_string();
        if let Ok(bytes) = file.bytes_async().await {
            CHOSEN.with_borrow_mut(|chosen| chosen.push((name, bytes)));
            ctx.request_repaint();
        }
    });
}

pub(crate) fn chosen() -> Vec<(String, Vec<u8>)> {
    CHOSEN.take()
}

pub(crate) fn download(name: &str, bytes: &[u8]) {
    let save = || -> Option<()> {
        let parts = js_sys::Array::of1(&JsValue::from(js_sys::Uint8Array::from(bytes)));
        let blob = web_sys::Blob::new_with_u8_array_sequence(&parts).ok()?;
        let address = web_sys::Url::create_object_url_with_blob(&blob).ok()?;
        let link =
            document()?.create_element("a").ok()?.dyn_into::<web_sys::HtmlAnchorElement>().ok()?;
        link.set_href(&address);
        link.set_download(name);
        link.click();
        web_sys::Url::revoke_object_url(&address).ok()
    };
    let _ = save();
}

pub(crate) fn seconds() -> f64 {
    web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |clock| clock.now() / 1_000.0)
}
