//! The presentation of a scene: the colors of its groups and the names of its units. Neither
//! changes a number of the simulation, so neither is in the setup, in snapshots or in digests.

use wayfare::parameter::Unit;

/// A color of red, green and blue from 0 to 255.
pub type Rgb = [u8; 3];

/// The colors of groups and the names of units and exits that a scene gives.
///
/// ```
/// use wayfare_scene::{Presentation, Units};
/// let plain = Presentation::default();
/// assert_eq!((plain.color(0), plain.units.lengths(1.0)), (None, "length unit"));
/// let metric = Units { length: "m".to_string(), time: "s".to_string() };
/// let colors = vec![None, Some([255, 0, 0])];
/// let shown = Presentation { colors, units: metric, ..plain };
/// assert_eq!((shown.color(1), shown.color(2)), (Some([255, 0, 0]), None));
/// assert_eq!((shown.units.lengths(2.0), shown.units.after_time().as_str()), ("m", " s"));
/// assert_eq!(shown.units.name_of(wayfare::parameter::Unit::Speed), "m / s");
/// assert_eq!(shown.units.in_names("1 / (length^2 time)"), "1 / (m^2 s)");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presentation {
    /// The color of each group, in the order of the groups; `None` for that of the palette.
    pub colors: Vec<Option<Rgb>>,
    /// The names of the units.
    pub units: Units,
    /// The name of each exit, in their order; empty for one without a name.
    pub exits: Vec<String>,
}

impl Presentation {
    /// The name of the exit with this index, or its position in the scene: `exit[0]`.
    pub fn exit(&self, index: usize) -> String {
        match self.exits.get(index).map(String::as_str) {
            None | Some("") => format!("exit[{index}]"),
            Some(name) => format!("exit {name}"),
        }
    }

    /// The color that the scene gives to the group with this index.
    pub fn color(&self, group: usize) -> Option<Rgb> {
        self.colors.get(group).copied().flatten()
    }
}

/// The names of the units of length and time, such as `m` and `s`; empty where the scene gives
/// none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// The name of the unit of length.
    pub length: String,
    /// The name of the unit of time.
    pub time: String,
}

impl Units {
    /// The unit of the length `x`, in words where it has no name.
    pub fn lengths(&self, x: f64) -> &str {
        match (self.length.as_str(), x == 1.0) {
            ("", true) => "length unit",
            ("", false) => "length units",
            (name, _) => name,
        }
    }

    /// The unit of the time `x`, in words where it has no name.
    pub fn times(&self, x: f64) -> &str {
        match (self.time.as_str(), x == 1.0) {
            ("", true) => "time unit",
            ("", false) => "time units",
            (name, _) => name,
        }
    }

    /// The name of the unit of time after a number, with a space before it; empty without one.
    pub fn after_time(&self) -> String {
        if self.time.is_empty() { String::new() } else { format!(" {}", self.time) }
    }

    /// The name of the unit of length after a number, with a space before it; empty without one.
    pub fn after_length(&self) -> String {
        if self.length.is_empty() { String::new() } else { format!(" {}", self.length) }
    }

    /// The name of `unit`, in words where a unit of it has no name: `m / s`, or `length / s`.
    pub fn name_of(&self, unit: Unit) -> String {
        self.in_names(unit.name())
    }

    /// A unit in words such as `1 / (length time)` with the names in their place: `1 / (m s)`. A
    /// word without a name stays.
    pub fn in_names(&self, unit: &str) -> String {
        let mut text = String::new();
        for part in unit.split_inclusive(|c: char| !c.is_ascii_alphabetic()) {
            let word = part.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
            text.push_str(match word {
                "length" if !self.length.is_empty() => &self.length,
                "time" if !self.time.is_empty() => &self.time,
                word => word,
            });
            text.push_str(&part[word.len()..]);
        }
        text
    }

    /// A text such as `Speed`, with the name of its unit in parentheses if the scene names units.
    pub fn labelled(&self, text: &str, unit: Unit) -> String {
        if *self == Self::default() || unit.name().is_empty() {
            text.to_string()
        } else {
            format!("{text} ({})", self.name_of(unit))
        }
    }
}

/// The names of colors: those of CSS 2.1.
pub(crate) static COLOR_NAMES: [(&str, Rgb); 17] = [
    ("aqua", [0x00, 0xff, 0xff]),
    ("black", [0x00, 0x00, 0x00]),
    ("blue", [0x00, 0x00, 0xff]),
    ("fuchsia", [0xff, 0x00, 0xff]),
    ("gray", [0x80, 0x80, 0x80]),
    ("green", [0x00, 0x80, 0x00]),
    ("lime", [0x00, 0xff, 0x00]),
    ("maroon", [0x80, 0x00, 0x00]),
    ("navy", [0x00, 0x00, 0x80]),
    ("olive", [0x80, 0x80, 0x00]),
    ("orange", [0xff, 0xa5, 0x00]),
    ("purple", [0x80, 0x00, 0x80]),
    ("red", [0xff, 0x00, 0x00]),
    ("silver", [0xc0, 0xc0, 0xc0]),
    ("teal", [0x00, 0x80, 0x80]),
    ("white", [0xff, 0xff, 0xff]),
    ("yellow", [0xff, 0xff, 0x00]),
];

/// The color of a text: `#rrggbb`, or a name in lower case.
pub(crate) fn color_of(text: &str) -> Option<Rgb> {
    if let Some((_, color)) = COLOR_NAMES.iter().find(|(name, _)| *name == text) {
        return Some(*color);
    }
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}

/// The contrast of two colors, from 1 to 21 (WCAG 2.2, "contrast ratio").
///
/// ```
/// assert_eq!(wayfare_scene::contrast([0, 0, 0], [255, 255, 255]), 21.0);
/// ```
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The relative luminance, from 0 to 1.
fn luminance(color: Rgb) -> f64 {
    let [red, green, blue] = color.map(|channel| {
        let x = f64::from(channel) / 255.0;
        if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_is_a_name_of_css_or_six_digits() {
        assert_eq!(color_of("#0072B2"), Some([0x00, 0x72, 0xb2]));
        assert_eq!(color_of("teal"), Some([0x00, 0x80, 0x80]));
        for text in ["", "#fff", "0072b2", "#0072bg", "#+072b2", "Teal", "rebeccapurple"] {
            assert_eq!(color_of(text), None, "{text}");
        }
    }

    #[test]
    fn contrast_is_that_of_the_standard_in_either_order() {
        // WCAG's own example of the least contrast of text, to two digits.
        let gray = contrast([0x76, 0x76, 0x76], [255, 255, 255]);
        assert!((gray - 4.54).abs() < 0.01, "{gray}");
        assert_eq!(gray, contrast([255, 255, 255], [0x76, 0x76, 0x76]));
    }
}
