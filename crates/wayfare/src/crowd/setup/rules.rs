//! The rules that can combine a list of a group: one for each state of its members.

use core::fmt;

use crate::combine::Combine;

/// A set of rules.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::crowd) struct Rules(u8);

impl Rules {
    pub(in crate::crowd) fn has(self, rule: Combine) -> bool {
        self.0 & (1 << rule as u8) != 0
    }
}

impl From<Combine> for Rules {
    fn from(rule: Combine) -> Self {
        Self(1 << rule as u8)
    }
}

impl FromIterator<Combine> for Rules {
    fn from_iter<I: IntoIterator<Item = Combine>>(rules: I) -> Self {
        Self(rules.into_iter().fold(0, |set, rule| set | Self::from(rule).0))
    }
}

/// The text about them in an error, such as `the rule of the list is "sum"`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_list = if self.0.is_power_of_two() { "rule of the list is" } else { "rules are" };
        write!(f, "the {of_list}")?;
        let rules = Combine::LIST.iter().filter(|rule| self.has(**rule));
        for (i, rule) in rules.enumerate() {
            let before = if i == 0 { " " } else { ", " };
            write!(f, "{before}\"{}\"", Combine::WORDS[*rule as usize])?;
        }
        Ok(())
    }
}
