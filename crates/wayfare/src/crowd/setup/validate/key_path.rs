//! Key paths: the position of a value in a setup, written with the keys of a scene file.

use core::fmt;

/// One segment of a [`KeyPath`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySegment {
    /// A key of a table.
    Name(String),
    /// An index into a list, from 0.
    At(usize),
}

/// The position of a value in a setup, by the keys of a scene file:
/// `group[0].steer[1].arrive.slowing_radius`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct KeyPath(pub Vec<KeySegment>);

impl KeyPath {
    /// The path of the key `name` in the table at this path.
    #[must_use]
    pub fn key(&self, name: impl Into<String>) -> Self {
        let mut keys = self.0.clone();
        keys.push(KeySegment::Name(name.into()));
        Self(keys)
    }

    /// The path of item `i` of the list at this path.
    #[must_use]
    pub fn at(&self, i: usize) -> Self {
        let mut keys = self.0.clone();
        keys.push(KeySegment::At(i));
        Self(keys)
    }

    /// Parses a path as it is displayed: `group[0].steer[1].arrive`; `None` if `text` is not a
    /// path.
    pub fn read(text: &str) -> Option<Self> {
        let mut keys = Vec::new();
        for part in text.split('.') {
            let (name, mut remainder) = part.split_at(part.find('[').unwrap_or(part.len()));
            if name.is_empty() {
                return None;
            }
            keys.push(KeySegment::Name(name.to_string()));
            while let Some((index, after)) =
                remainder.strip_prefix('[').and_then(|remainder| remainder.split_once(']'))
            {
                keys.push(KeySegment::At(index.parse().ok()?));
                remainder = after;
            }
            if !remainder.is_empty() {
                return None;
            }
        }
        Some(Self(keys))
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, key) in self.0.iter().enumerate() {
            match key {
                KeySegment::Name(name) if i == 0 => write!(f, "{name}")?,
                KeySegment::Name(name) => write!(f, ".{name}")?,
                KeySegment::At(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
