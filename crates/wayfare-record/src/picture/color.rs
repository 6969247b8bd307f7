//! The colors of pictures, also used by the viewer.
//!
//! The groups' colors are those of M. Okabe and K. Ito, "Color Universal Design" (2008), which
//! people with any common kind of color blindness can tell apart. Yellow is left out, as it does
//! not stand out on white, and black is softened.

use tiny_skia::Color;

pub use wayfare_scene::Rgb;

pub(crate) const MARGIN: Rgb = [0xf4, 0xf3, 0xef];
pub(crate) const OUTSIDE: Rgb = [0xfa, 0xf9, 0xf6];
/// The background of the world.
pub const PAPER: Rgb = [0xff, 0xff, 0xff];
pub(crate) const FRAME: Rgb = [0xd8, 0xd5, 0xcd];
/// Text.
pub const TEXT: Rgb = [0x22, 0x25, 0x2b];
pub(crate) const MUTED: Rgb = [0x66, 0x6b, 0x73];
/// Obstacles.
pub const OBSTACLE: Rgb = [0xcb, 0xc6, 0xbb];
/// The edges of obstacles.
pub const OBSTACLE_EDGE: Rgb = [0x87, 0x80, 0x74];
/// Paths and their bands.
pub const PATH: Rgb = [0x5a, 0x68, 0x8c];
/// Exits.
pub const EXIT: Rgb = [0x3f, 0x7d, 0x6b];
/// Sources: the orange of the groups, so that the palette of animations needs no further color.
pub const SOURCE: Rgb = GROUPS[4];
/// Lines that count crossings.
pub const LINE: Rgb = [0x8a, 0x45, 0x63];
/// The edge of a world with bounds.
pub const EDGE: Rgb = [0x3c, 0x41, 0x49];
/// The pointer.
pub const POINTER: Rgb = [0x11, 0x13, 0x16];

/// The groups, in their order: blue, vermilion, bluish green, reddish purple, orange, sky blue,
/// black.
pub const GROUPS: [Rgb; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x40, 0x40, 0x40],
];

/// The fill of a mark: it distinguishes groups of the same color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    Solid,
    /// White, with an outline of the group's color.
    Hollow,
    /// With a dark outline.
    Edged,
    /// With a white dot.
    Dotted,
}

/// The style of the members of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) color: Rgb,
    pub(crate) fill: Fill,
}

impl Style {
    /// The style of a group with a color of its own.
    pub(crate) fn own(color: Rgb) -> Self {
        Self { color, fill: Fill::Solid }
    }

    /// The style of the group with the index `group`: 28 different ones, then they repeat.
    pub(crate) fn of(group: usize) -> Self {
        let fillings = [Fill::Solid, Fill::Hollow, Fill::Edged, Fill::Dotted];
        Self {
            color: GROUPS[group % GROUPS.len()],
            fill: fillings[group / GROUPS.len() % fillings.len()],
        }
    }
}

/// Every color that is drawn on the background of the world.
pub(crate) fn inks() -> Vec<Rgb> {
    let others = [TEXT, MUTED, OBSTACLE, OBSTACLE_EDGE, PATH, EXIT, LINE, EDGE, POINTER];
    GROUPS.into_iter().chain(others).collect()
}

/// Translucent colors on the background: bands of paths, exits, and the band of a path in the
/// legend.
pub(crate) fn translucent_areas() -> [Rgb; 3] {
    let over = |color: Rgb, cover: f64| {
        [0, 1, 2].map(|i| {
            (f64::from(color[i]) * cover + f64::from(PAPER[i]) * (1.0 - cover)).round() as u8
        })
    };
    [over(PATH, PATH_BAND), over(EXIT, EXIT_OPACITY), over(PATH, 2.0 * PATH_BAND)]
}

/// The opacities of the band of a path and of the area of an exit.
pub(super) const PATH_BAND: f64 = 0.13;
pub(super) const EXIT_OPACITY: f64 = 0.1;
/// The opacity of the area of a source: a shade of the palette of animations.
pub(super) const SOURCE_OPACITY: f64 = 1.0 / 6.0;

/// The color with the opacity `cover` (0 to 1).
pub(super) fn ink([red, green, blue]: Rgb, cover: f64) -> Color {
    Color::from_rgba8(red, green, blue, (cover.clamp(0.0, 1.0) * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_eight_groups_have_different_styles_and_then_they_repeat() {
        let styles: Vec<_> = (0..28).map(Style::of).collect();
        assert!(styles.iter().enumerate().all(|(i, style)| !styles[..i].contains(style)));
        assert_eq!(Style::of(28), Style::of(0));
    }
}
