//! Values of keys: numbers, words, points and lists.

use wayfare::crowd::range;
use wayfare::glam::Vec2;
use wayfare::parameter::Range;
use wayfare::vector::Vector;

use super::Decoder;
use super::parameter::quoted;
use crate::document::{Content, Node};
use crate::presentation::{COLOR_NAMES, Rgb, color_of};

/// The nearest `f32`. Finite numbers stay finite, so that the check of a range refuses them.
pub(crate) fn to_f32(x: f64) -> f32 {
    if x.is_finite() { x.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32 } else { x as f32 }
}

impl Decoder {
    pub(crate) fn text(&mut self, key: &str, node: &Node) -> Option<String> {
        let text = node.text().map(str::to_string);
        if text.is_none() {
            self.wrong(key, node, "a text in quotes");
        }
        text
    }

    /// `#rrggbb`, or the name of a color.
    pub(crate) fn color(&mut self, node: &Node) -> Option<Rgb> {
        let allowed = "a color such as \"#d55e00\", or a name such as \"teal\"";
        let Some(text) = node.text() else {
            self.wrong("color", node, allowed);
            return None;
        };
        let color = color_of(text);
        if color.is_none() && text.starts_with('#') {
            self.wrong("color", node, "# and six hexadecimal digits, such as \"#d55e00\"");
        } else if color.is_none() {
            let names = COLOR_NAMES.map(|(name, _)| name);
            let mut known = names.to_vec();
            known.push("or # and six hexadecimal digits");
            let message = format!("`color` is \"{text}\"");
            self.unknown(&node.span, &message, text, &known, "");
        }
        color
    }

    pub(crate) fn flag(&mut self, key: &str, node: &Node) -> Option<bool> {
        if let Content::Bool(x) = node.content {
            return Some(x);
        }
        self.wrong(key, node, "true or false");
        None
    }

    pub(crate) fn list<'n>(
        &mut self,
        key: &str,
        node: &'n Node,
        allowed: &str,
    ) -> Option<&'n [Node]> {
        let list = node.list();
        if list.is_none() {
            self.wrong(key, node, allowed);
        }
        list
    }

    /// A list whose items are lists; reported once where its items are numbers.
    pub(crate) fn list_of_lists<'n>(
        &mut self,
        key: &str,
        node: &'n Node,
        allowed: &str,
    ) -> Option<&'n [Node]> {
        let items = self.list(key, node, allowed)?;
        if !items.is_empty() && items.iter().all(Node::is_number) {
            self.problem(
                node.span.clone(),
                format!("`{key}` is a list of {} numbers", items.len()),
                allowed,
            );
            return None;
        }
        Some(items)
    }

    /// Any number but NaN.
    pub(crate) fn any_number(&mut self, key: &str, node: &Node) -> Option<f64> {
        match node.content {
            Content::Integer(x) => Some(x as f64),
            Content::Number(x) if !x.is_nan() => Some(x),
            _ => {
                self.wrong(key, node, "a number");
                None
            }
        }
    }

    /// A number in `range`.
    pub(crate) fn number(&mut self, key: &str, node: &Node, range: Range) -> Option<f64> {
        match node.content {
            Content::Integer(x) if range.holds(to_f32(x as f64)) => Some(x as f64),
            Content::Number(x) if range.holds(to_f32(x)) => Some(x),
            Content::Text(ref text) if text == "inf" && range.infinite => Some(f64::INFINITY),
            _ => {
                self.wrong(key, node, range.to_string());
                None
            }
        }
    }

    /// A limit of a stat: a number, or an infinity.
    pub(crate) fn stat_limit(&mut self, key: &str, node: &Node) -> Option<f64> {
        match node.content {
            Content::Integer(x) if range::STAT.holds(to_f32(x as f64)) => Some(x as f64),
            Content::Number(x) if x.is_infinite() || range::STAT.holds(to_f32(x)) => Some(x),
            Content::Text(ref text) if text == "inf" => Some(f64::INFINITY),
            Content::Text(ref text) if text == "-inf" => Some(f64::NEG_INFINITY),
            _ => {
                self.wrong(key, node, "a number from -1e9 to 1e9, -inf or inf");
                None
            }
        }
    }

    pub(crate) fn integer(
        &mut self,
        key: &str,
        node: &Node,
        least: u64,
        most: u64,
    ) -> Option<usize> {
        match node.content {
            Content::Integer(x) if x >= i128::from(least) && x <= i128::from(most) => {
                Some(x as usize)
            }
            _ => {
                let allowed = format!("a whole number from {least} to {most}, without a point");
                self.wrong(key, node, allowed);
                None
            }
        }
    }

    /// The index of a word among `words`.
    pub(crate) fn word(&mut self, key: &str, node: &Node, words: &[&str]) -> Option<usize> {
        let Some(text) = node.text() else {
            self.wrong(key, node, quoted(words));
            return None;
        };
        let found = words.iter().position(|word| *word == text);
        if found.is_none() {
            self.unknown(&node.span, &format!("`{key}` is \"{text}\""), text, words, "");
        }
        found
    }

    pub(crate) fn point<V: Vector>(&mut self, key: &str, node: &Node) -> Option<V> {
        let count = node.list().map_or(0, <[Node]>::len);
        let allowed = match (V::DIMENSION, count) {
            (2, 3) => {
                "a point of two numbers such as [100, 50]; of three with dimension = 3 at the top \
                 of the file"
            }
            (2, _) => "a point such as [100, 50]",
            (_, 2) => "a point of three numbers such as [100, 50, 20], as `dimension` is 3",
            (_, _) => "a point such as [100, 50, 20]",
        };
        self.axes(key, node, allowed, range::COORDINATE)
    }

    pub(crate) fn velocity<V: Vector>(&mut self, node: &Node) -> Option<V> {
        let allowed = if V::DIMENSION == 2 {
            "a velocity such as [1, 0], or \"random\""
        } else {
            "a velocity such as [1, 0, 0], or \"random\""
        };
        self.axes("velocity", node, allowed, range::VELOCITY)
    }

    /// A direction of any length but zero.
    pub(crate) fn direction<V: Vector>(&mut self, key: &str, node: &Node) -> Option<V> {
        let allowed = if V::DIMENSION == 2 {
            "a direction such as [0, 1]"
        } else {
            "a direction such as [0, 1, 0]"
        };
        let direction: V = self.axes(key, node, allowed, range::COORDINATE)?;
        if direction == V::ZERO {
            self.problem(node.span.clone(), format!("`{key}` is zero"), allowed);
            return None;
        }
        Some(direction)
    }

    /// As many numbers as the scene has dimensions, all in `range`.
    pub(crate) fn axes<V: Vector>(
        &mut self,
        key: &str,
        node: &Node,
        allowed: &str,
        range: Range,
    ) -> Option<V> {
        let Some(items) = node.list().filter(|items| items.len() == V::DIMENSION) else {
            self.wrong(key, node, allowed);
            return None;
        };
        let mut axes = [0.0; 3];
        for (axis, item) in axes.iter_mut().zip(items) {
            *axis = to_f32(self.number(key, item, range)?);
        }
        Some(V::from_fn(|i| axes[i]))
    }

    pub(crate) fn points<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Vec<V>> {
        let allowed = if V::DIMENSION == 2 {
            "a list of points such as [[100, 50], [200, 80]]"
        } else {
            "a list of points such as [[100, 50, 20]]"
        };
        let items = self.list_of_lists(key, node, allowed)?;
        let points: Vec<V> = items.iter().filter_map(|item| self.point(key, item)).collect();
        (points.len() == items.len()).then_some(points)
    }

    /// The corners of a polygon: of two numbers in space as well.
    pub(crate) fn corners(&mut self, node: &Node) -> Option<Vec<Vec2>> {
        let allowed = "a list of corners such as [[470, 290], [540, 270], [530, 340]]";
        let items = self.list_of_lists("polygon", node, allowed)?;
        let corner = "a corner of two numbers such as [100, 50]; in three dimensions a polygon is \
                      a vertical prism, and its corners are coordinates on the ground";
        let corners: Vec<Vec2> = items
            .iter()
            .filter_map(|item| self.axes("polygon", item, corner, range::COORDINATE))
            .collect();
        (corners.len() == items.len()).then_some(corners)
    }
}
