//! The palette of files with indexed colors: the colors of pictures, and shades between them and
//! the background.

use tiny_skia::Pixmap;

use super::color::{self, Rgb};
use crate::RecordError;

/// The index of unchanged pixels in an animation; no drawn pixel has it.
pub(crate) const UNCHANGED: u8 = 0;

/// The number of shades of a color, including itself: more are hardly visible and take more bytes.
const SHADES: u32 = 6;

/// The most colors that an index of a byte can name.
const MOST_COLORS: usize = 256;

/// At most 256 colors, and the nearest of them to any color.
pub(crate) struct Palette {
    /// The color at 0 is a placeholder for [`UNCHANGED`].
    colors: Vec<Rgb>,
    /// The index of each color that has been looked up; 0 for others.
    known: Vec<u8>,
}

/// A picture as the bytes of a PNG file with indexed colors, which takes a quarter of the bytes of
/// one with all shades. `own` are the colors of groups, `description` a text for the file.
pub(crate) fn png(
    pixmap: &Pixmap,
    own: &[Rgb],
    description: Option<String>,
) -> Result<Vec<u8>, RecordError> {
    let mut palette = Palette::new(own);
    let pixels = palette.indices(pixmap);
    let refused = |source| RecordError::Picture { source: Box::new(source) };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.bytes());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    if let Some(text) = description {
        encoder.add_itxt_chunk("Description".to_string(), text).map_err(refused)?;
    }
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(&pixels).map_err(refused)?;
    writer.finish().map_err(refused)?;
    Ok(bytes)
}

impl Palette {
    /// The palette of pictures with these further colors of groups.
    pub(crate) fn new(own: &[Rgb]) -> Self {
        let mut colors = vec![[0; 3]];
        let mut add = |shade: Rgb| {
            if !colors.contains(&shade) {
                colors.push(shade);
            }
        };
        let papers = [color::PAPER, color::MARGIN, color::OUTSIDE, color::FRAME, color::OBSTACLE];
        papers.into_iter().chain(color::translucent_areas()).for_each(&mut add);
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
        for &ink in own {
            (1..=SHADES).for_each(|shade| add(mixed(ink, color::PAPER, shade)));
        }
        // Of very many colors the last ones are drawn as the nearest of the others.
        colors.truncate(MOST_COLORS);
        Self { colors, known: vec![0; 1 << 24] }
    }

    /// The colors as a sequence of bytes, as files have them.
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
                // The eye is most sensitive to green.
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
    fn the_colors_of_pictures_are_in_the_palette_and_it_fits_into_seven_bits() {
        let mut palette = Palette::new(&[]);
        assert!(
            palette.colors.len() <= 128,
            "{} colors take eight bits each",
            palette.colors.len()
        );
        for color in color::inks().into_iter().chain(color::translucent_areas()).chain([
            color::PAPER,
            color::MARGIN,
            color::OUTSIDE,
        ]) {
            let index = palette.index(color);
            assert!(index != UNCHANGED && palette.colors[usize::from(index)] == color);
        }
    }

    #[test]
    fn colors_of_scenes_are_in_the_palette_as_far_as_an_index_reaches() {
        let plum = [0x8e, 0x45, 0x85];
        let mut palette = Palette::new(&[plum]);
        let index = usize::from(palette.index(plum));
        assert_eq!(palette.colors[index], plum);
        let many: Vec<Rgb> = (0..=255).map(|i| [i, 255 - i, 7]).collect();
        assert_eq!(Palette::new(&many).colors.len(), MOST_COLORS);
    }

    #[test]
    fn shades_between_a_color_and_the_background_are_close_to_the_palette() {
        let mut palette = Palette::new(&[]);
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
