//! The names of the units of a scene.

use super::{Table, ValueKind, optional};
use crate::decode::{Decoder, TableNode};
use crate::document::Node;
use crate::presentation::Units;

/// The most characters of the name of a unit, which stands beside numbers.
pub(crate) const LONGEST_UNIT: usize = 12;

pub(crate) static UNITS: Table = Table {
    name: "units",
    doc: "The names of the units, shown beside lengths and times; they change no number.",
    keys: &[
        optional("length", ValueKind::UnitName, "", "\"m\"", "The name of the unit of length."),
        optional("time", ValueKind::UnitName, "", "\"s\"", "The name of the unit of time."),
    ],
    one_of: &[],
    needs: &[],
    example: "{ length = \"m\", time = \"s\" }",
};

impl Decoder {
    pub(super) fn units(&mut self, node: &Node) -> Option<Units> {
        let keys = self.described_table("units", node, &UNITS)?;
        let mut name = |key| self.unit_name(keys, key).unwrap_or_default();
        Some(Units { length: name("length"), time: name("time") })
    }

    fn unit_name(&mut self, keys: TableNode<'_>, key: &str) -> Option<String> {
        let node = keys.get(key)?;
        let name = node.text().map(str::trim).filter(|name| {
            let is_short = (1..=LONGEST_UNIT).contains(&name.chars().count());
            is_short && !name.chars().any(char::is_control)
        });
        if name.is_none() {
            let allowed = format!("a text of 1 to {LONGEST_UNIT} characters, such as \"m\"");
            self.wrong(key, node, allowed);
        }
        name.map(str::to_string)
    }
}
