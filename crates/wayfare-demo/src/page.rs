//! The interface of the page's JavaScript.

use wasm_bindgen::prelude::*;
use wayfare::glam::vec2;

use crate::Demo;

/// A demo, for JavaScript.
#[wasm_bindgen(js_name = Demo)]
#[derive(Debug)]
pub struct PageDemo(Demo);

#[wasm_bindgen(js_class = Demo)]
impl PageDemo {
    /// Reads a scene file; throws what is wrong as a text.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, text: &str) -> Result<PageDemo, JsValue> {
        Ok(Self(Demo::new(name, text)?))
    }

    /// The duration of a tick (time).
    pub fn dt(&self) -> f64 {
        self.0.dt()
    }

    /// The number of ticks so far.
    pub fn tick(&self) -> f64 {
        self.0.tick() as f64
    }

    /// The digest of the crowd.
    pub fn digest(&self) -> String {
        self.0.digest()
    }

    /// Advances the crowd by one tick.
    pub fn step(&mut self) {
        self.0.step();
    }

    /// Starts again.
    pub fn restart(&mut self) {
        self.0.restart();
    }

    /// Moves the pointer.
    pub fn point(&mut self, x: f32, y: f32) {
        self.0.point(vec2(x, y));
    }

    /// Gives an agent a position and a velocity; throws what is wrong as a text.
    pub fn put(&mut self, id: u32, x: f32, y: f32, vx: f32, vy: f32) -> Result<(), JsValue> {
        Ok(self.0.put(id, vec2(x, y), vec2(vx, vy))?)
    }

    /// Turns an agent to a direction; throws what is wrong as a text.
    pub fn face(&mut self, id: u32, x: f32, y: f32) -> Result<(), JsValue> {
        Ok(self.0.face(id, vec2(x, y))?)
    }

    /// The pointer, x and y; empty if it is nowhere.
    pub fn pointer(&self) -> Vec<f32> {
        self.0.pointer().map_or_else(Vec::new, |at| vec![at.x, at.y])
    }

    /// Changes a setting; throws what is wrong as a text.
    pub fn set(&mut self, key_path: &str, value: f32) -> Result<(), JsValue> {
        Ok(self.0.set(key_path, value)?)
    }

    /// Seven numbers for each agent: its id, x, y, its facing's x and y, its radius, its group.
    pub fn agents(&self) -> Vec<f32> {
        self.0.agents()
    }

    /// What does not move, as JSON.
    pub fn world(&self) -> String {
        self.0.world().to_string()
    }

    /// The forces on an agent, as JSON.
    pub fn forces(&mut self, id: u32) -> String {
        self.0.forces(id).to_string()
    }
}
