//! A contact sheet: small pictures of many scenes, each with its name.

use tiny_skia::{Pixmap, PixmapPaint, Transform};
use wayfare::Vector;

use super::Picture;
use super::canvas::{Canvas, Pen};
use super::color::{self, Rgb, ink};
use super::geometry::{Rect, point};
use super::palette;
use super::pixels::Pixels;
use super::text::{Fonts, Side};
use crate::RecordError;

/// The picture of a tile (pixels). The gallery's start page (`web/index.html`) cuts the sheet by
/// these numbers, and a test in a browser compares them.
const WIDTH: u32 = 252;
const HEIGHT: u32 = 189;
/// The height of the label, the gap between tiles, and the margin (pixels).
const LABEL: u32 = 26;
const GAP: u32 = 14;
const MARGIN: u32 = 20;
/// The number of tiles in a row: seventy scenes make a sheet that is less than twice as high as
/// wide.
const COLUMNS: usize = 6;

/// Small pictures of many runs, all of one size (252 x 189 pixels), in rows of six.
///
/// The file has indexed colors, one byte per pixel, so that fifty scenes take less than a megabyte.
/// Its description (an `iTXt` chunk) is the list of names, for screen readers and for tests that it
/// is up to date.
#[derive(Clone, Debug, Default)]
pub struct ContactSheet {
    tiles: Vec<Tile>,
    /// The colors that scenes give to groups.
    colors: Vec<Rgb>,
}

#[derive(Clone, Debug)]
struct Tile {
    folder: String,
    name: String,
    pixmap: Pixmap,
}

impl ContactSheet {
    /// A sheet without a picture.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the world of a picture under a name, and the name of its folder, which may be empty.
    pub fn add<V: Vector>(&mut self, folder: &str, name: &str, picture: &Picture<'_, V>) {
        let pixmap = picture.tile(WIDTH, HEIGHT);
        let given = picture.presentation.iter().flat_map(|shown| &shown.colors);
        self.colors.extend(given.copied().flatten());
        self.tiles.push(Tile { folder: folder.to_string(), name: name.to_string(), pixmap });
    }

    /// The number of pictures.
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether the sheet has no picture.
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// The sheet, as the bytes of a PNG file.
    ///
    /// # Errors
    /// The encoder failed; no input is known for which it does.
    pub fn png(&self) -> Result<Vec<u8>, RecordError> {
        let names: Vec<&str> = self.tiles.iter().map(|tile| tile.name.as_str()).collect();
        palette::png(&self.draw(), &self.colors, Some(names.join(", ")))
    }

    fn draw(&self) -> Pixmap {
        let rows = self.tiles.len().div_ceil(COLUMNS).max(1) as u32;
        let columns = self.tiles.len().clamp(1, COLUMNS) as u32;
        let (width, height) = (
            2 * MARGIN + columns * (WIDTH + GAP) - GAP,
            2 * MARGIN + rows * (HEIGHT + LABEL + GAP) - GAP,
        );
        let corner = |i: usize| {
            (
                MARGIN + (i % COLUMNS) as u32 * (WIDTH + GAP),
                MARGIN + (i / COLUMNS) as u32 * (HEIGHT + LABEL + GAP),
            )
        };
        let mut pixels = Pixels::new(width, height, ink(color::MARGIN, 1.0));
        let mut canvas = Canvas::new(&mut pixels, width, height);
        let fonts = Fonts::new();
        for (i, tile) in self.tiles.iter().enumerate() {
            let (x, y) = corner(i);
            let (left, top) = (f64::from(x), f64::from(y));
            let frame = Rect::new(
                point(left, top),
                point(left + f64::from(WIDTH), top + f64::from(HEIGHT)),
            )
            .grown(0.5);
            canvas.polygon(
                &frame.corners(),
                ink(color::FRAME, 0.0),
                Some(&Pen::new(1.0, ink(color::FRAME, 1.0))),
            );
            let line = frame.high.y + 19.0;
            let right = frame.high.x;
            let folder = canvas.write(
                &fonts.regular,
                &tile.folder,
                13.0,
                point(right, line),
                Side::Right,
                ink(color::MUTED, 1.0),
            );
            let name = fonts.bold.shortened(&tile.name, 17.0, right - left - folder - 10.0);
            canvas.write(
                &fonts.bold,
                &name,
                17.0,
                point(left, line),
                Side::Left,
                ink(color::TEXT, 1.0),
            );
        }
        let mut sheet = pixels.into_pixmap();
        for (i, tile) in self.tiles.iter().enumerate() {
            let (x, y) = corner(i);
            sheet.draw_pixmap(
                x as i32,
                y as i32,
                tile.pixmap.as_ref(),
                &PixmapPaint::default(),
                Transform::identity(),
                None,
            );
        }
        sheet
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Trails;
    use wayfare::Crowd;
    use wayfare::crowd::{Distribution, Group, Setup, Spawn};
    use wayfare::glam::vec2;
    use wayfare::spatial::space::{Bounds, Edge};

    #[test]
    fn each_tile_is_at_its_position_and_a_sheet_may_be_empty() {
        let mut sheet = ContactSheet::new();
        assert!(sheet.is_empty() && sheet.png().is_ok());
        let bounds = Some(Bounds { min: vec2(0.0, 0.0), max: vec2(40.0, 30.0), edge: Edge::Open });
        for i in 0..9 {
            // Every second tile has a body in its middle.
            let mut group =
                Group::new("a", 1, Spawn::Points(vec![vec2(20.0, 15.0); 1 - i % 2]), 1.0);
            group.radius = Distribution::Same(8.0);
            let crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() }).unwrap();
            let trails = Trails::new(&crowd);
            sheet.add(
                "folder",
                &format!("scene-{i}-{}", "long".repeat(20)),
                &Picture {
                    title: "",
                    bounds,
                    crowd: &crowd,
                    trails: &trails,
                    pointer: None,
                    presentation: None,
                },
            );
        }
        let pixmap = sheet.draw();
        let rows = 2 * (HEIGHT + LABEL + GAP) - GAP + 2 * MARGIN;
        assert_eq!(
            (sheet.len(), pixmap.width(), pixmap.height()),
            (9, 6 * (WIDTH + GAP) - GAP + 2 * MARGIN, rows)
        );
        for i in 0..9 {
            // Left of the middle: the line of its heading covers the middle.
            let (x, y) = (
                MARGIN + i % 6 * (WIDTH + GAP) + WIDTH / 2 - 20,
                MARGIN + i / 6 * (HEIGHT + LABEL + GAP) + HEIGHT / 2,
            );
            let pixel = pixmap.pixel(x, y).unwrap();
            let expected = if i % 2 == 0 { color::GROUPS[0] } else { color::PAPER };
            assert_eq!([pixel.red(), pixel.green(), pixel.blue()], expected, "tile {i}");
        }
        // The decoded file is the drawing, except for the shades of the palette.
        let read = Pixmap::decode_png(&sheet.png().unwrap()).unwrap();
        let off = read.data().iter().zip(pixmap.data()).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(read.width() == pixmap.width() && off <= Some(40), "{off:?}");
    }
}
