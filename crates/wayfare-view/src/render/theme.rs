//! Colors of the light and the dark theme; the light ones are those of the command's pictures.

use std::sync::Arc;

use eframe::egui::{Color32, Context, FontData, FontDefinitions, FontFamily, Style};
use wayfare::GroupId;
use wayfare_record::picture::FONT;
use wayfare_record::picture::color::{self, Rgb};
use wayfare_scene::{Presentation, contrast};

/// Smallest height of a control, for fingers (points of the screen).
pub(crate) const TOUCH: f32 = 30.0;

/// Least contrast of a group's color with dark paper: about that of the darkest of the palette.
const LEAST_CONTRAST: f64 = 3.0;

/// The font for code: Hack without hints, with the Latin, Greek and Cyrillic letters, arrows and
/// signs (© Source Foundry Authors and Bitstream; the license is next to the file).
const HACK: &[u8] = include_bytes!("../../assets/Hack-Regular.ttf");

/// Sets fonts and style of panels.
pub(crate) fn set(ctx: &Context) {
    ctx.set_fonts(fonts());
    ctx.all_styles_mut(style);
}

/// The font of pictures, which the module has anyway, and one for code, which also has the arrows.
fn fonts() -> FontDefinitions {
    let (text, code) = ("Inter", "Hack");
    let mut fonts = FontDefinitions::empty();
    for (name, font) in [(text, FONT), (code, HACK)] {
        fonts.font_data.insert(name.to_string(), Arc::new(FontData::from_static(font)));
    }
    for (family, order) in
        [(FontFamily::Proportional, [text, code]), (FontFamily::Monospace, [code, text])]
    {
        fonts.families.insert(family, order.map(str::to_string).to_vec());
    }
    fonts
}

/// Sets the style of panels: controls are large enough for fingers, and weak text is readable.
fn style(style: &mut Style) {
    style.spacing.interact_size.y = TOUCH;
    style.spacing.item_spacing = [7.0, 5.0].into();
    style.visuals.widgets.noninteractive.fg_stroke.color =
        if style.visuals.dark_mode { rgb(0xc6cad1) } else { rgb(0x3a3f47) };
    style.visuals.weak_text_color =
        Some(if style.visuals.dark_mode { rgb(0xa6abb5) } else { rgb(0x5d636d) });
}

/// The colors of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Theme {
    pub(crate) paper: Color32,
    pub(crate) outside: Color32,
    pub(crate) edge: Color32,
    pub(crate) obstacle: Color32,
    pub(crate) obstacle_edge: Color32,
    pub(crate) path: Color32,
    pub(crate) exit: Color32,
    pub(crate) source: Color32,
    pub(crate) line: Color32,
    pub(crate) pointer: Color32,
    pub(crate) text: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const fn ink([red, green, blue]: Rgb) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

const LIGHT: Theme = Theme {
    paper: ink(color::PAPER),
    outside: rgb(0xf1f0ec),
    edge: ink(color::EDGE),
    obstacle: ink(color::OBSTACLE),
    obstacle_edge: ink(color::OBSTACLE_EDGE),
    path: ink(color::PATH),
    exit: ink(color::EXIT),
    source: ink(color::SOURCE),
    line: ink(color::LINE),
    pointer: ink(color::POINTER),
    text: ink(color::TEXT),
};

const DARK: Theme = Theme {
    paper: rgb(0x1b1d22),
    outside: rgb(0x141519),
    edge: rgb(0xb9bec8),
    obstacle: rgb(0x4a4b4f),
    obstacle_edge: rgb(0x8d8f96),
    path: rgb(0x8f9cc4),
    exit: rgb(0x6cc0a7),
    source: rgb(0xd9a24e),
    line: rgb(0xd58bb0),
    pointer: rgb(0xf4f5f7),
    text: rgb(0xe6e8ec),
};

impl Theme {
    pub(crate) fn of(dark: bool) -> Self {
        if dark { DARK } else { LIGHT }
    }

    /// The color of the force of the behavior with this index.
    pub(crate) fn part(&self, part: usize) -> Color32 {
        self.group([1, 5, 3, 4, 2, 0][part % 6])
    }

    /// The color of velocities.
    pub(crate) fn velocity(&self) -> Color32 {
        self.group(2).gamma_multiply(0.9)
    }

    /// The color of the group with this index.
    pub(crate) fn group(&self, group: usize) -> Color32 {
        // Lighter on dark paper, with the same hues.
        const LIFTED: [u32; 7] =
            [0x3d9bd9, 0xf07f2e, 0x25bf93, 0xdd92ba, 0xf0b429, 0x7cc8f2, 0xc9ccd2];
        let group = group % LIFTED.len();
        if *self == DARK { rgb(LIFTED[group]) } else { ink(color::GROUPS[group]) }
    }

    /// The color of the agents of a group; bullets stand out.
    pub(crate) fn agent(
        &self,
        group: GroupId,
        bullets: Option<GroupId>,
        presentation: &Presentation,
    ) -> Color32 {
        match presentation.color(group.0) {
            Some(color) => self.standing_out(color),
            None if bullets == Some(group) => self.text,
            None => self.group(group.0),
        }
    }

    /// A color that the scene gives: as it is on light paper, and mixed with white on dark paper
    /// until it stands out.
    fn standing_out(&self, color: Rgb) -> Color32 {
        if *self != DARK {
            return ink(color);
        }
        let paper = [self.paper.r(), self.paper.g(), self.paper.b()];
        let lifted = |part: u16| {
            color.map(|channel| (u16::from(channel) + (255 - u16::from(channel)) * part / 10) as u8)
        };
        let stands_out = |color: &Rgb| contrast(*color, paper) >= LEAST_CONTRAST;
        ink((0..10).map(lifted).find(stands_out).unwrap_or([255; 3]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_of_the_scene_is_as_it_is_on_light_paper_and_stands_out_on_dark_paper() {
        let navy = [0, 0, 0x80];
        let presentation = Presentation { colors: vec![Some(navy)], ..Presentation::default() };
        let color = |dark| Theme::of(dark).agent(GroupId(0), None, &presentation);
        assert_eq!(color(false), ink(navy));
        let paper = DARK.paper;
        let lifted = contrast(
            [color(true).r(), color(true).g(), color(true).b()],
            [paper.r(), paper.g(), paper.b()],
        );
        assert!(lifted >= LEAST_CONTRAST, "{lifted}");
        let other = Theme::of(true).agent(GroupId(1), None, &presentation);
        assert_eq!(other, DARK.group(1));
    }
}
