//! The page in a browser: its address, its attributes, its files, and what tests read.

use std::cell::RefCell;
use std::collections::BTreeMap;

use eframe::egui::Rect;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue};

use crate::platform::report::Report;

thread_local! {
    /// The rectangles of the controls of the last frame, by name.
    static CONTROLS: RefCell<BTreeMap<String, Rect>> = const { RefCell::new(BTreeMap::new()) };
    /// Names and contents of files that were read and not yet opened.
    static OPENED_FILES: RefCell<Vec<(String, Vec<u8>)>> = const { RefCell::new(Vec::new()) };
    /// The last report.
    static REPORTED: RefCell<Option<Report>> = const { RefCell::new(None) };
    /// The present text of the scene.
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The names of all controls that are shown.
pub(crate) fn control_names() -> Vec<String> {
    CONTROLS.with_borrow(|controls| controls.keys().cloned().collect())
}

/// The rectangle of a control that is shown.
pub(crate) fn control(name: &str) -> Option<Rect> {
    CONTROLS.with_borrow(|controls| controls.get(name).copied())
}

/// The present text of the scene.
pub(crate) fn text() -> String {
    TEXT.with_borrow(String::clone)
}

pub(crate) fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

pub(crate) fn parameters() -> Option<web_sys::UrlSearchParams> {
    web_sys::UrlSearchParams::new_with_str(&web_sys::window()?.location().search().ok()?).ok()
}

pub(crate) fn begin_frame() {
    CONTROLS.with_borrow_mut(BTreeMap::clear);
}

pub(crate) fn mark_control(name: &str, rect: Rect) {
    CONTROLS.with_borrow_mut(|controls| controls.insert(name.to_string(), rect));
}

pub(crate) fn report_text(text: &str) {
    TEXT.with_borrow_mut(|reported| {
        if reported != text {
            *reported = text.to_string();
        }
    });
}

pub(crate) fn report_state(report: &Report) {
    let changed = REPORTED.with_borrow_mut(|reported| {
        let changed = reported.as_ref() != Some(report);
        *reported = Some(report.clone());
        changed
    });
    let Some(body) = document().and_then(|document| document.body()).filter(|_| changed) else {
        return;
    };
    let data = body.dataset();
    // The viewer works without these attributes.
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

pub(crate) fn set_address_parameter(key: &str, value: Option<&str>) {
    let write = || -> Option<()> {
        let window = web_sys::window()?;
        let parameters = parameters()?;
        match value {
            _ if parameters.get(key).as_deref() == value => return None,
            Some(value) => parameters.set(key, value),
            None => parameters.delete(key),
        }
        let address = format!("?{}", parameters.to_string().as_string()?);
        window.history().ok()?.replace_state_with_url(&JsValue::NULL, "", Some(&address)).ok()
    };
    let _ = write();
}

/// The page's address without its query.
pub(crate) fn address() -> String {
    let location = web_sys::window().map(|window| window.location());
    location.and_then(|it| Some(it.origin().ok()? + &it.pathname().ok()?)).unwrap_or_default()
}

/// Opens the file dialog.
pub(crate) fn open_file_dialog(ctx: &eframe::egui::Context) {
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
            // A file that was deleted meanwhile cannot be read.
            if let Ok(buffer) = file.array_buffer().await {
                OPENED_FILES.with_borrow_mut(|files| {
                    files.push((name, js_sys::Uint8Array::new(&buffer).to_vec()))
                });
                ctx.request_repaint();
            }
        });
    });
    input.set_onchange(Some(changed.unchecked_ref()));
    input.click();
}

/// Reads a file that was dropped on the page.
pub(crate) fn read_dropped(ctx: &eframe::egui::Context, file: eframe::egui::DroppedFileHandle) {
    let ctx = ctx.clone();
    wasm_bindgen_futures::spawn_local(async move {
        let name = file.path().display().to_string();
        if let Ok(bytes) = file.bytes_async().await {
            OPENED_FILES.with_borrow_mut(|files| files.push((name, bytes)));
            ctx.request_repaint();
        }
    });
}

pub(crate) fn opened_files() -> Vec<(String, Vec<u8>)> {
    OPENED_FILES.take()
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
