//! The colors: on paper, on obstacles and of the groups.
//!
//! The groups' colors are those of M. Okabe and K. Ito, "Color Universal Design" (2008), which
//! people with any of the common kinds of color blindness can tell apart; yellow is left out, as it
//! does not stand out on white, and black is softened.

use tiny_skia::Color;

/// A color of red, green, blue from 0 to 255.
pub type Rgb = [u8; 3];

pub(crate) const MARGIN: Rgb = [0xf4, 0xf3, 0xef];
pub(crate) const OUTSIDE: Rgb = [0xfa, 0xf9, 0xf6];
/// The world's floor.
pub const PAPER: Rgb = [0xff, 0xff, 0xff];
pub(crate) const FRAME: Rgb = [0xd8, 0xd5, 0xcd];
/// What is written.
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
/// Sources: the orange of groups, as a file of few colors has room for no other.
pub const SOURCE: Rgb = GROUPS[4];
/// Lines that are counted.
pub const LINE: Rgb = [0x8a, 0x45, 0x63];
/// The edge of a world that holds or wraps.
pub const EDGE: Rgb = [0x3c, 0x41, 0x49];
/// The pointer.
pub const POINTER: Rgb = [0x11, 0x13, 0x16];

/// The groups, in turn: blue, vermilion, bluish green, reddish purple, orange, sky blue, black.
pub const GROUPS: [Rgb; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x40, 0x40, 0x40],
];

/// How a mark is filled: what tells groups of the same color apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filling {
    Solid,
    /// White, in an outline of the group's color.
    Hollow,
    /// In a dark outline.
    Edged,
    /// With a white dot.
    Dotted,
}

/// How the members of a group are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) color: Rgb,
    pub(super) filling: Filling,
}

impl Style {
    /// That of the group with the index `group`: 28 that differ, then they come again.
    pub(super) fn of(group: usize) -> Self {
        let fillings = [Filling::Solid, Filling::Hollow, Filling::Edged, Filling::Dotted];
        Self {
            color: GROUPS[group % GROUPS.len()],
            filling: fillings[group / GROUPS.len() % fillings.len()],
        }
    }
}

/// Every color that marks on paper are drawn in.
pub(crate) fn inks() -> Vec<Rgb> {
    let others = [TEXT, MUTED, OBSTACLE, OBSTACLE_EDGE, PATH, EXIT, LINE, EDGE, POINTER];
    GROUPS.into_iter().chain(others).collect()
}

/// What is washed over the paper in a thin color: bands of paths, exits, and a path's band in the
/// legend.
pub(crate) fn washes() -> [Rgb; 3] {
    let over = |color: Rgb, cover: f64| {
        [0, 1, 2].map(|i| {
            (f64::from(color[i]) * cover + f64::from(PAPER[i]) * (1.0 - cover)).round() as u8
        })
    };
    [over(PATH, PATH_BAND), over(EXIT, EXIT_FLOOR), over(PATH, 2.0 * PATH_BAND)]
}

/// How opaque the band of a path and the floor of an exit are.
pub(super) const PATH_BAND: f64 = 0.13;
pub(super) const EXIT_FLOOR: f64 = 0.1;
/// One of the shades that files of few colors have.
pub(super) const SOURCE_FLOOR: f64 = 1.0 / 6.0;

/// The color, `cover` of 0 to 1 opaque.
pub(super) fn ink([red, green, blue]: Rgb, cover: f64) -> Color {
    Color::from_rgba8(red, green, blue, (cover.clamp(0.0, 1.0) * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_eight_groups_look_different_and_then_they_repeat() {
        let styles: Vec<_> = (0..28).map(Style::of).collect();
        assert!(styles.iter().enumerate().all(|(i, style)| !styles[..i].contains(style)));
        assert_eq!(Style::of(28), Style::of(0));
    }
}
