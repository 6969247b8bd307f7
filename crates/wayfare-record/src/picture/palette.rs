//! The colors of files that have few: those that pictures are drawn with, and what lies between
//! them and the paper.

use tiny_skia::Pixmap;

use super::color::{self, Rgb};

/// The index that stands for what was there before, in an animation; no pixel that is drawn has it.
pub(crate) const UNCHANGED: u8 = 0;

/// How many shades a color has, itself among them: more are hardly seen, and take more bytes.
const SHADES: u32 = 6;

/// At most 255 colors, and the nearest of them to every other.
pub(crate) struct Palette {
    /// The one at 0 stands for [`UNCHANGED`].
    colors: Vec<Rgb>,
    /// The index of each color that was met; 0 for those that were not.
    known: Vec<u8>,
}

impl Palette {
    pub(crate) fn new() -> Self {
        let mut colors = vec![[0; 3]];
        let mut add = |shade: Rgb| {
            if !colors.contains(&shade) {
                colors.push(shade);
            }
        };
        let papers = [color::PAPER, color::MARGIN, color::OUTSIDE, color::FRAME, color::OBSTACLE];
        papers.into_iter().chain(color::washes()).for_each(&mut add);
        for (ink, paper) in color::inks()
            .into_iter()
            .map(|ink| (ink, color::PAPER))
            .chain([(color::TEXT, color::MARGIN), (color::MUTED, color::MARGIN)])
        {
            for shade in 1..=SHADES {
                add(mixed(ink, paper, shade));
            }
        }
        for ink in color::GROUPS {
            add(mixed(ink, color::OBSTACLE, SHADES / 2));
            add(mixed(ink, color::POINTER, SHADES / 2));
        }
        Self { colors, known: vec![0; 1 << 24] }
    }

    /// The colors one after another, as the file has them.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    /// The index of the nearest color for each pixel.
    pub(crate) fn indices(&mut self, pixmap: &Pixmap) -> Vec<u8> {
        pixmap
            .data()
            .chunks_exact(4)
            .map(|pixel| self.index([pixel[0], pixel[1], pixel[2]]))
            .collect()
    }

    fn index(&mut self, [red, green, blue]: Rgb) -> u8 {
        let at = usize::from(red) << 16 | usize::from(green) << 8 | usize::from(blue);
        if self.known[at] == 0 {
            let off = |color: &Rgb| {
                let d = |i: usize, c: u8| i32::from(color[i]) - i32::from(c);
                // The eye sees green best.
                3 * d(0, red).pow(2) + 4 * d(1, green).pow(2) + 2 * d(2, blue).pow(2)
            };
            let nearest = (1..self.colors.len()).min_by_key(|&i| off(&self.colors[i]));
            self.known[at] = nearest.unwrap_or(1) as u8;
        }
        self.known[at]
    }
}

/// `shade` sixths of `ink`, the rest `paper`.
fn mixed(ink: Rgb, paper: Rgb, shade: u32) -> Rgb {
    let mix = |i: usize| {
        (u32::from(ink[i]) * shade + u32::from(paper[i]) * (SHADES - shade) + SHADES / 2) / SHADES
    };
    [0, 1, 2].map(|i| mix(i) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_colors_are_kept_as_they_are_and_there_are_no_more_than_fit() {
        let mut palette = Palette::new();
        assert!(
            palette.colors.len() <= 128,
            "{} colors take eight bits each",
            palette.colors.len()
        );
        for color in color::inks().into_iter().chain(color::washes()).chain([
            color::PAPER,
            color::MARGIN,
            color::OUTSIDE,
        ]) {
            let index = palette.index(color);
            assert!(index != UNCHANGED && palette.colors[usize::from(index)] == color);
        }
    }

    #[test]
    fn what_lies_between_a_color_and_the_paper_is_hardly_off() {
        let mut palette = Palette::new();
        for ink in color::GROUPS {
            for part in 0..=12 {
                let color = [0, 1, 2].map(|i| {
                    (f64::from(ink[i]) + (255.0 - f64::from(ink[i])) * f64::from(part) / 12.0) as u8
                });
                let index = usize::from(palette.index(color));
                let off = (0..3)
                    .map(|i| (i32::from(palette.colors[index][i]) - i32::from(color[i])).abs())
                    .max();
                assert!(off <= Some(24), "{color:?} became {:?}", palette.colors[index]);
            }
        }
    }
}
