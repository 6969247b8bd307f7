//! The entry points that the page calls.
//!
//! The page keeps `document.body.dataset.state` (`loading`, `running`, `paused`, `error`),
//! `.scene`, `.tick`, `.agents` and `.digest` current, in a comparison also `.compare` and
//! `.otherDigest`.
//! `window.wayfare.rect(name)` returns the rectangle of a control (CSS pixels).

#![allow(unreachable_pub)] // Called from the page, which the compiler does not see.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};
use wayfare::crowd::Setup;
use wayfare::{Crowd, Vector};
use wayfare_scene::edit::Draft;
use wayfare_scene::{AnyScene, Format, Source, bundled};

use crate::app::Gallery;
use crate::opening::Opening;
use crate::platform::page;

/// Opens the viewer on a canvas of the page. The address has the scene (`?scene=NAME`), the tick at
/// which it pauses (`&until=TICK`), the speed (`&speed=2`), the step of the tour (`&tour=3`), the
/// scene to compare with (`&compare=NAME`), the text of an edited scene (`&text=…`), and whether
/// the text is shown (`&edit`).
///
/// # Errors
/// There is no such canvas, or no WebGL 2.
#[wasm_bindgen]
pub async fn start(canvas: &str) -> Result<(), JsValue> {
    let document = page::document().ok_or_else(|| JsError::new("there is no page"))?;
    let canvas = document
        .get_element_by_id(canvas)
        .and_then(|element| element.dyn_into::<web_sys::HtmlCanvasElement>().ok());
    let canvas = canvas.ok_or_else(|| JsError::new("the page has no canvas"))?;
    let parameter = |key: &str| page::parameters()?.get(key);
    let opening = Opening {
        scene: parameter("scene"),
        until: parameter("until").and_then(|tick| tick.parse().ok()),
        speed: parameter("speed").and_then(|speed| speed.parse().ok()),
        tour: parameter("tour").and_then(|step| step.parse().ok()),
        compare: parameter("compare"),
        text: parameter("text"),
        edit: parameter("edit").is_some(),
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
    page::control_names()
}

/// The present text of the scene.
#[wasm_bindgen]
pub fn text() -> String {
    page::text()
}

/// The snapshot of a bundled scene after `ticks` ticks: the bytes of the file that `wayfare run
/// SCENE
/// --ticks TICKS -o FILE.snapshot` writes. Nothing if there is no such scene.
#[wasm_bindgen]
pub fn snapshot(scene: &str, ticks: u32) -> Option<Vec<u8>> {
    fn after<V: Vector>(setup: Setup<V>, ticks: u32) -> Option<Vec<u8>> {
        let mut crowd = Crowd::new(setup).ok()?;
        (0..ticks).for_each(|_| crowd.step());
        Some(crowd.snapshot())
    }
    let scene = bundled(scene)?;
    let source = Source { name: scene.name.to_string(), text: scene.text.to_string() };
    match Draft::new(source, Format::Toml).ok()?.scene() {
        AnyScene::TwoD(scene) => after(scene.setup.clone(), ticks),
        AnyScene::ThreeD(scene) => after(scene.setup.clone(), ticks),
    }
}

/// The rectangle of a control (x, y, width, height); nothing if it is not shown.
#[wasm_bindgen]
pub fn rect(name: &str) -> Option<Vec<f32>> {
    page::control(name).map(|rect| vec![rect.min.x, rect.min.y, rect.width(), rect.height()])
}

/// The position of an agent on the page (x, y); nothing if there is no such agent.
#[wasm_bindgen]
pub fn agent(id: u32) -> Option<Vec<f32>> {
    page::control(&format!("agent:{id}")).map(|rect| vec![rect.center().x, rect.center().y])
}

/// The middle of an obstacle on the page (x, y); nothing if there is no such obstacle.
#[wasm_bindgen]
pub fn obstacle(index: u32) -> Option<Vec<f32>> {
    page::control(&format!("obstacle:{index}")).map(|rect| vec![rect.center().x, rect.center().y])
}
