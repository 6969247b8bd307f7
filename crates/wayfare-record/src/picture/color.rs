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

/// Colors of light pages with those of dark ones in their place: lighter marks on dark paper, with
/// the same hues.
const DARK: [(Rgb, Rgb); 19] = [
    (MARGIN, [0x20, 0x22, 0x27]),
    (OUTSIDE, [0x14, 0x15, 0x19]),
    (PAPER, [0x1b, 0x1d, 0x22]),
    (FRAME, [0x3a, 0x3d, 0x44]),
    (TEXT, [0xe6, 0xe8, 0xec]),
    (MUTED, [0xa6, 0xab, 0xb5]),
    (OBSTACLE, [0x4a, 0x4b, 0x4f]),
    (OBSTACLE_EDGE, [0x8d, 0x8f, 0x96]),
    (PATH, [0x8f, 0x9c, 0xc4]),
    (EXIT, [0x6c, 0xc0, 0xa7]),
    (LINE, [0xd5, 0x8b, 0xb0]),
    (EDGE, [0xb9, 0xbe, 0xc8]),
    (POINTER, [0xf4, 0xf5, 0xf7]),
    (GROUPS[0], [0x3d, 0x9b, 0xd9]),
    (GROUPS[1], [0xf0, 0x7f, 0x2e]),
    (GROUPS[2], [0x25, 0xbf, 0x93]),
    (GROUPS[3], [0xdd, 0x92, 0xba]),
    (GROUPS[4], [0xf0, 0xb4, 0x29]),
    (GROUPS[6], [0xc9, 0xcc, 0xd2]),
];

/// The color on a dark page: a dark color that is not of the palette is mixed with white.
pub(crate) fn in_dark(color: Rgb) -> Rgb {
    if let Some((_, dark)) = DARK.iter().find(|(light, _)| *light == color) {
        return *dark;
    }
    let brightest = color.iter().copied().max().unwrap_or(0);
    if brightest >= 0xb0 {
        return color;
    }
    color.map(|part| ((u16::from(part) + 0xff) / 2) as u8)
}

/// A color as in CSS: `#0072b2`.
pub(crate) fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

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
