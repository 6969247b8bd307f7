//! Drawing of all agents by one instanced GPU call, each as its body, or as a dart.
//!
//! The processor writes one [`AgentInstance`] per agent; the shaders make the shapes. Needs OpenGL
//! 3.3 or WebGL 2 (OpenGL ES 3.0). The one module of the viewer with unsafe code, as all calls of
//! OpenGL are unsafe.

#![allow(unsafe_code)]

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui::{PaintCallback, Shape};
use eframe::egui_glow::CallbackFn;
use eframe::glow::{self, HasContext};

use crate::render::camera::Camera;

/// An agent as the shaders read it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct AgentInstance {
    /// Position (length).
    pub(crate) position: [f32; 2],
    /// Direction of view.
    pub(crate) heading: [f32; 2],
    /// Radius of the body, drawn to scale as a disc if it is large enough (length).
    pub(crate) radius: f32,
    /// Size of the dart in place of a body that is not (length).
    pub(crate) dart: f32,
    /// Red, green, blue and alpha, premultiplied.
    pub(crate) color: [u8; 4],
}

const VERTEX: &str = r#"
layout(location = 0) in vec2 corner;
layout(location = 1) in vec2 position;
layout(location = 2) in vec2 heading;
layout(location = 3) in vec2 radius; // of the body, and of the dart in its place
layout(location = 4) in vec4 color;
uniform vec2 center;   // of the view, in world coordinates
uniform vec2 scale;    // from world coordinates to clip coordinates (-1 to 1)
uniform float pixel;   // size of a pixel in world coordinates
out vec2 local;        // in the agent's frame, with the radius as unit
out vec4 ink;
out float soft;        // size of a pixel in that frame
out float body;        // 1 for a disc, 0 for a dart
void main() {
    // A smaller disc has no room for the line of its heading.
    body = radius.x >= 3.0 * pixel ? 1.0 : 0.0;
    // A dart is large enough to be seen.
    float size = mix(max(radius.y, 2.6 * pixel), radius.x, body);
    soft = pixel / size;
    local = corner * (mix(1.5, 1.0, body) + soft);
    vec2 across = vec2(-heading.y, heading.x);
    vec2 world = position + (heading * local.x + across * local.y) * size;
    gl_Position = vec4((world - center) * scale, 0.0, 1.0);
    ink = color;
}
"#;

const FRAGMENT: &str = r#"
in vec2 local;
in vec4 ink;
in float soft;
in float body;
out vec4 shown;
// The body: a disc with a line from its middle ahead.
vec4 disc() {
    float distance = length(local) - 1.0;
    float cover = 1.0 - smoothstep(-soft, soft, distance);
    float rim = smoothstep(-3.0 * soft - 0.04, -soft, distance);
    // A body below another one shows through it; its edge is opaque.
    vec4 color = mix(ink * 0.82, vec4(ink.rgb * 0.6, ink.a), rim);
    vec2 off = vec2(local.x - clamp(local.x, 0.0, 0.7), local.y);
    float half_width = max(0.12, 0.7 * soft);
    float line = 1.0 - smoothstep(half_width - soft, half_width + soft, length(off));
    return mix(color, vec4(ink.a), line * (1.0 - rim)) * cover;
}
void main() {
    if (body > 0.5) {
        shown = disc();
        return;
    }
    // Signed distance to a dart with its nose at 1.35 and a notch behind; both halves are alike.
    vec2 p = vec2(local.x, abs(local.y));
    vec2 side = normalize(vec2(0.82, 2.25));
    float front = dot(p - vec2(1.35, 0.0), side);
    vec2 rear = normalize(vec2(-0.82, 0.45));
    float behind = dot(p - vec2(-0.45, 0.0), rear);
    float distance = max(front, behind);
    float cover = 1.0 - smoothstep(-soft, soft, distance);
    // Small darts have no dark edge: it would cover all of their color.
    float strength = 0.35 * clamp(1.3 - 3.0 * soft, 0.0, 1.0);
    float edge = smoothstep(-3.0 * soft - 0.06, -soft, distance) * strength;
    vec4 color = vec4(ink.rgb * (1.0 - edge), ink.a);
    shown = color * cover;
    if (cover < 0.01) discard;
}
"#;

/// The GPU program and the instances of the present frame; clones share them.
#[derive(Clone)]
pub(crate) struct GpuAgents(Arc<Mutex<Inner>>);

struct Inner {
    gpu: Option<Gpu>,
    /// Why there is no GPU program.
    failure: Option<String>,
    instances: Vec<AgentInstance>,
}

struct Gpu {
    program: glow::Program,
    array: glow::VertexArray,
    corners: glow::Buffer,
    instances: glow::Buffer,
}

impl GpuAgents {
    pub(crate) fn new(gl: Option<&Arc<glow::Context>>) -> Self {
        let made = gl.ok_or_else(|| "there is no OpenGL".to_string()).and_then(|gl| Gpu::new(gl));
        let (gpu, failure) = match made {
            Ok(gpu) => (Some(gpu), None),
            Err(failure) => (None, Some(failure)),
        };
        Self(Arc::new(Mutex::new(Inner { gpu, failure, instances: Vec::new() })))
    }

    /// Why agents cannot be drawn, if they cannot.
    pub(crate) fn failure(&self) -> Option<String> {
        self.lock().failure.clone()
    }

    /// Lets `fill` write the instances of the next frame.
    pub(crate) fn fill(&self, fill: impl FnOnce(&mut Vec<AgentInstance>)) {
        fill(&mut self.lock().instances);
    }

    /// Number of agents drawn.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.lock().instances.len()
    }

    /// The egui shape that draws the agents, as `camera` shows them.
    pub(crate) fn shape(&self, camera: &Camera) -> Shape {
        let (agents, camera) = (self.clone(), *camera);
        let draw = move |info: eframe::egui::PaintCallbackInfo,
                         painter: &eframe::egui_glow::Painter| {
            let inner = agents.lock();
            if let Some(gpu) = &inner.gpu {
                gpu.draw(painter.gl(), &inner.instances, &camera, info.pixels_per_point);
            }
        };
        Shape::Callback(PaintCallback {
            rect: camera.screen,
            callback: Arc::new(CallbackFn::new(draw)),
        })
    }

    /// Frees the GPU objects.
    pub(crate) fn destroy(&self, gl: &glow::Context) {
        if let Some(gpu) = self.lock().gpu.take() {
            // SAFETY: this context made these objects, and nothing uses them any more.
            unsafe {
                gl.delete_program(gpu.program);
                gl.delete_vertex_array(gpu.array);
                gl.delete_buffer(gpu.corners);
                gl.delete_buffer(gpu.instances);
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gpu {
    fn new(gl: &glow::Context) -> Result<Self, String> {
        let prefix = if cfg!(target_arch = "wasm32") || gl.version().is_embedded {
            "#version 300 es\nprecision highp float;\n"
        } else {
            "#version 330\n"
        };
        // SAFETY: the context is current while the application is created, and all objects were
        // made by it just before.
        unsafe {
            let program = gl.create_program()?;
            let mut shaders = Vec::new();
            for (kind, text) in [(glow::VERTEX_SHADER, VERTEX), (glow::FRAGMENT_SHADER, FRAGMENT)] {
                let shader = gl.create_shader(kind)?;
                gl.shader_source(shader, &format!("{prefix}{text}"));
                gl.compile_shader(shader);
                if !gl.get_shader_compile_status(shader) {
                    return Err(gl.get_shader_info_log(shader));
                }
                gl.attach_shader(program, shader);
                shaders.push(shader);
            }
            gl.link_program(program);
            if !gl.get_program_link_status(program) {
                return Err(gl.get_program_info_log(program));
            }
            for shader in shaders {
                gl.detach_shader(program, shader);
                gl.delete_shader(shader);
            }
            let array = gl.create_vertex_array()?;
            gl.bind_vertex_array(Some(array));
            let corners = gl.create_buffer()?;
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(corners));
            let square: Vec<u8> = [-1.0_f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0]
                .iter()
                .flat_map(|x| x.to_ne_bytes())
                .collect();
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, &square, glow::STATIC_DRAW);
            gl.enable_vertex_attrib_array(0);
            gl.vertex_attrib_pointer_f32(0, 2, glow::FLOAT, false, 8, 0);
            let instances = gl.create_buffer()?;
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(instances));
            let size = size_of::<AgentInstance>() as i32;
            for (at, count, kind, offset) in [
                (1, 2, glow::FLOAT, 0),
                (2, 2, glow::FLOAT, 8),
                (3, 2, glow::FLOAT, 16),
                (4, 4, glow::UNSIGNED_BYTE, 24),
            ] {
                gl.enable_vertex_attrib_array(at);
                gl.vertex_attrib_pointer_f32(
                    at,
                    count,
                    kind,
                    kind == glow::UNSIGNED_BYTE,
                    size,
                    offset,
                );
                gl.vertex_attrib_divisor(at, 1);
            }
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
            Ok(Self { program, array, corners, instances })
        }
    }

    fn draw(
        &self,
        gl: &glow::Context,
        instances: &[AgentInstance],
        camera: &Camera,
        pixels_per_point: f32,
    ) {
        let half = camera.screen.size() * 0.5 / camera.scale;
        // SAFETY: egui calls this while the context is current that made these objects; an instance
        // is 28 bytes of plain numbers without padding.
        unsafe {
            let bytes = core::slice::from_raw_parts(
                instances.as_ptr().cast::<u8>(),
                size_of_val(instances),
            );
            gl.use_program(Some(self.program));
            let uniform = |name: &str| gl.get_uniform_location(self.program, name);
            gl.uniform_2_f32(uniform("center").as_ref(), camera.center.x, camera.center.y);
            // The y axis points down in the world and up on the GPU.
            gl.uniform_2_f32(uniform("scale").as_ref(), 1.0 / half.x, -1.0 / half.y);
            gl.uniform_1_f32(uniform("pixel").as_ref(), 1.0 / (camera.scale * pixels_per_point));
            gl.bind_vertex_array(Some(self.array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.instances));
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::STREAM_DRAW);
            gl.enable(glow::BLEND);
            gl.blend_func(glow::ONE, glow::ONE_MINUS_SRC_ALPHA);
            gl.draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, 4, instances.len() as i32);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
            gl.bind_vertex_array(None);
        }
    }
}
