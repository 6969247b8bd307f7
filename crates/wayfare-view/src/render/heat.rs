//! The heat map: the number of agents in each cell of the ground, averaged over the last ticks, as
//! colors.

use eframe::egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2,
};
use wayfare::glam;

use crate::render::camera::Camera;
use crate::render::theme::Theme;
use crate::session::geometry::WorldRect;
use crate::session::traits::Session;

/// Number of cells along the longer side of the world.
const CELLS: f32 = 48.0;
/// Number of ticks after which a past count has half its weight.
const HALF_LIFE: f32 = 60.0;
/// Number of agents up to which every tick is sampled.
const MANY: usize = 5_000;

/// The scale from the lowest to the highest count: viridis (S. van der Walt, N. Smith, 2015), which
/// grows lighter throughout, so that it can be read in grey and with color blindness.
const SCALE: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

/// The color on paper of a part of the highest count (0 to 1). Low counts look like the paper: on
/// light paper the scale is reversed.
fn tint(part: f32, theme: &Theme) -> Color32 {
    let light = theme.paper.intensity() > 0.5;
    color(if light { 1.0 - part } else { part }).gamma_multiply(0.8)
}

/// The color of the scale at a position from 0 to 1.
fn color(part: f32) -> Color32 {
    let at = part.clamp(0.0, 1.0) * (SCALE.len() - 1) as f32;
    let (i, rest) =
        ((at as usize).min(SCALE.len() - 2), at - (at as usize).min(SCALE.len() - 2) as f32);
    let [r, g, b] = [0, 1, 2].map(|k| {
        (f32::from(SCALE[i][k]) + rest * (f32::from(SCALE[i + 1][k]) - f32::from(SCALE[i][k])))
            .round() as u8
    });
    Color32::from_rgb(r, g, b)
}

/// The averaged number of agents in each cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heat {
    pub(crate) on: bool,
    world: Option<WorldRect>,
    /// Number of cells along x and y, and their width (length).
    count: [usize; 2],
    width: f32,
    means: Vec<f32>,
    here: Vec<f32>,
    tick: u64,
}

impl Heat {
    /// Discards all samples.
    pub(crate) fn clear(&mut self) {
        *self = Self { on: self.on, ..Self::default() };
    }

    /// Number of cells with samples.
    #[cfg(test)]
    pub(crate) fn samples(&self) -> usize {
        self.means.len()
    }

    /// Counts the agents in each cell at this tick, if the map is on. After a jump in time the
    /// averages start again from the present counts.
    pub(crate) fn sample(&mut self, session: &dyn Session, world: WorldRect) {
        let (tick, every) = (session.tick(), session.len().div_ceil(MANY).max(1) as u64);
        if !self.on
            || !tick.is_multiple_of(every) && self.world.is_some()
            || self.world.is_some() && tick == self.tick
        {
            return;
        }
        if self.world != Some(world) {
            self.width = (world.size().max_element() / CELLS).max(1e-6);
            let size = world.size();
            self.count = [size.x, size.y].map(|side| ((side / self.width).ceil() as usize).max(1));
            self.means.clear();
            self.world = Some(world);
        }
        self.here.clear();
        self.here.resize(self.count[0] * self.count[1], 0.0);
        let [across, down] = self.count;
        session.positions(&mut |p| {
            let cell = (p - world.min) / self.width;
            if cell.x >= 0.0
                && cell.y >= 0.0
                && (cell.x as usize) < across
                && (cell.y as usize) < down
            {
                self.here[cell.y as usize * across + cell.x as usize] += 1.0;
            }
        });
        if self.means.len() != self.here.len() || tick < self.tick || tick > self.tick + 2 * every {
            self.means.clone_from(&self.here);
        } else {
            let kept = (-std::f32::consts::LN_2 * (tick - self.tick) as f32 / HALF_LIFE).exp();
            self.means
                .iter_mut()
                .zip(&self.here)
                .for_each(|(mean, here)| *mean = kept * *mean + (1.0 - kept) * here);
        }
        self.tick = tick;
    }

    fn highest(&self) -> f32 {
        self.means.iter().copied().fold(0.0, f32::max)
    }

    /// Draws the cells; to be called after the ground and before everything else.
    pub(crate) fn draw(&self, painter: &Painter, camera: &Camera, theme: &Theme) {
        let (Some(world), highest) = (self.world.filter(|_| self.on), self.highest()) else {
            return;
        };
        if highest <= 0.0 {
            return;
        }
        let inside = camera.rect_to_screen(world);
        let mut mesh = Mesh::default();
        for (i, &mean) in self.means.iter().enumerate().filter(|(_, mean)| **mean > 0.004 * highest)
        {
            let (x, y) = ((i % self.count[0]) as f32, (i / self.count[0]) as f32);
            let corner =
                |x: f32, y: f32| camera.to_screen(world.min + glam::vec2(x, y) * self.width);
            // The square root keeps a few agents visible beside a crowd.
            let cell = Rect::from_two_pos(corner(x, y), corner(x + 1.0, y + 1.0)).intersect(inside);
            mesh.add_colored_rect(cell, tint((mean / highest).sqrt(), theme));
        }
        painter.add(Shape::mesh(mesh));
    }

    /// Draws the legend in the lower left corner.
    pub(crate) fn legend(&self, painter: &Painter, area: Rect, theme: &Theme) {
        let highest = self.highest();
        // It would cover a low picture.
        if !self.on || highest <= 0.0 || area.height() < 160.0 {
            return;
        }
        let font = FontId::proportional(12.0);
        let panel =
            Rect::from_min_size(pos2(area.left() + 10.0, area.bottom() - 66.0), vec2(212.0, 56.0));
        painter.rect(
            panel,
            5.0,
            theme.paper.gamma_multiply(0.9),
            Stroke::new(1.0, theme.edge.gamma_multiply(0.3)),
            StrokeKind::Inside,
        );
        let bar = Rect::from_min_size(panel.min + vec2(9.0, 24.0), vec2(194.0, 9.0));
        let mut mesh = Mesh::default();
        for i in 0..64 {
            let x = |i: i32| bar.left() + bar.width() * i as f32 / 64.0;
            mesh.add_colored_rect(
                Rect::from_min_max(pos2(x(i), bar.top()), pos2(x(i + 1), bar.bottom())),
                tint(i as f32 / 63.0, theme),
            );
        }
        painter.add(Shape::mesh(mesh));
        let write = |at: Pos2, align: Align2, text: String| {
            painter.text(at, align, text, font.clone(), theme.text)
        };
        write(
            panel.min + vec2(9.0, 5.0),
            Align2::LEFT_TOP,
            format!("agents per {0} x {0} of ground, recent mean", short(self.width)),
        );
        write(bar.left_bottom() + vec2(0.0, 3.0), Align2::LEFT_TOP, "0".to_string());
        write(bar.center_bottom() + vec2(0.0, 3.0), Align2::CENTER_TOP, short(0.25 * highest));
        write(bar.right_bottom() + vec2(0.0, 3.0), Align2::RIGHT_TOP, short(highest));
    }
}

/// A number with two significant digits.
fn short(x: f32) -> String {
    match x {
        _ if x >= 10.0 => format!("{x:.0}"),
        _ if x >= 1.0 => format!("{x:.1}"),
        _ => format!("{x:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::open::open;
    use wayfare_scene::Format;

    #[test]
    fn the_scale_grows_lighter_throughout_and_low_counts_look_like_the_paper() {
        let light = |part: f32| {
            let [r, g, b, _] = color(part).to_array().map(f32::from);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        assert!((0..100).all(|i| light(i as f32 / 100.0) < light((i + 1) as f32 / 100.0)));
        assert_eq!(
            (color(-1.0), color(9.0)),
            (Color32::from_rgb(68, 1, 84), Color32::from_rgb(253, 231, 37))
        );
        let far = |dark: bool, part: f32| {
            (tint(part, &Theme::of(dark)).intensity() - Theme::of(dark).paper.intensity()).abs()
        };
        assert!([true, false].into_iter().all(|dark| far(dark, 0.0) < far(dark, 1.0)));
    }

    #[test]
    fn a_standing_agent_keeps_its_count_and_a_walker_leaves_half_behind_after_the_half_life() {
        let scene = "[bounds]\nmin = [0, 0]\nmax = [96, 48]\n[[group]]\nname = \"two\"\nspawn = { \
                     points = [[1, 1], [90, 40]] }\nmax_speed = 1\n[[group]]\nname = \
                     \"walker\"\nspawn = { points = [[0, 21]] }\nmax_speed = 0.1\nvelocity = \
                     [0.1, 0]\n";
        let mut session = open("two", scene, Format::Toml).unwrap();
        let world = session.world();
        let mut heat = Heat { on: true, ..Heat::default() };
        heat.sample(session.as_ref(), world);
        assert_eq!(
            (heat.count, heat.width, heat.means[0], heat.means[10 * 48]),
            ([48, 24], 2.0, 1.0, 1.0)
        );
        for _ in 0..80 {
            session.step(None);
            heat.sample(session.as_ref(), world);
        }
        let all: f32 = heat.means.iter().sum();
        assert!((all - 3.0).abs() < 1e-3 && (heat.means[0] - 1.0).abs() < 1e-4, "{all}");
        let path: Vec<f32> = heat.means[10 * 48..10 * 48 + 5].to_vec();
        // The walker left its first cell 60 ticks ago, which is the half-life.
        assert!(
            (path[0] - 0.5).abs() < 0.02
                && path[1] < path[2]
                && path[2] < path[3]
                && path[4] == 0.0,
            "{path:?}"
        );
        // After a jump back in time the averages start again.
        session.go_to(3);
        heat.sample(session.as_ref(), world);
        assert_eq!(heat.means.iter().filter(|mean| **mean > 0.0).count(), 3);
    }

    #[test]
    fn a_map_that_is_off_takes_no_samples() {
        let session = open(
            "one",
            "[[group]]\nname = \"a\"\nspawn = { points = [[0, 0]] }\nmax_speed = 1\n",
            Format::Toml,
        )
        .unwrap();
        let mut heat = Heat::default();
        heat.sample(session.as_ref(), session.world());
        assert!(heat.means.is_empty());
    }
}
