//! Where in a setup something is wrong, what, and what is allowed instead.

use core::fmt;

/// One step of a [`KeyPath`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySegment {
    /// A key of a table.
    Name(String),
    /// An index into a list, from 0.
    At(usize),
}

/// Where in a setup something stands, with the keys that a scene file has:
/// `group[0].steer[1].arrive.slowing_radius`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct KeyPath(pub Vec<KeySegment>);

impl KeyPath {
    /// The place of the key `name` in the table here.
    #[must_use]
    pub fn key(&self, name: impl Into<String>) -> Self {
        let mut keys = self.0.clone();
        keys.push(KeySegment::Name(name.into()));
        Self(keys)
    }

    /// The place of item `i` of the list here.
    #[must_use]
    pub fn at(&self, i: usize) -> Self {
        let mut keys = self.0.clone();
        keys.push(KeySegment::At(i));
        Self(keys)
    }

    /// The place that is written as places are shown: `group[0].steer[1].arrive`; `None` where
    /// `text` is no place.
    pub fn read(text: &str) -> Option<Self> {
        let mut keys = Vec::new();
        for part in text.split('.') {
            let (name, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
            if name.is_empty() {
                return None;
            }
            keys.push(KeySegment::Name(name.to_string()));
            while let Some((index, after)) =
                rest.strip_prefix('[').and_then(|rest| rest.split_once(']'))
            {
                keys.push(KeySegment::At(index.parse().ok()?));
                rest = after;
            }
            if !rest.is_empty() {
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

/// One thing that is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    /// Where.
    pub place: KeyPath,
    /// What is wrong, with the value.
    pub message: String,
    /// What is allowed instead.
    pub allowed: String,
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; allowed: {}", self.place, self.message, self.allowed)
    }
}

/// Everything that is wrong with a setup; at least one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub Vec<ValidationError>);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}

impl std::error::Error for ValidationError {}
