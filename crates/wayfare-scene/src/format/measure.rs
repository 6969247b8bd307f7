//! Measures: what is measured while a scene runs. Their kinds and parameters are those of the crate
//! `wayfare-measure`.

use wayfare::crowd::Setup;
use wayfare::glam::Vec2;
use wayfare::parameter::Description;
use wayfare::vector::Vector;
use wayfare_measure::{Kinds, Measure};

use super::{Key, KeyDefault, Table, ValueKind, required};
use crate::decode::Decoder;
use crate::document::Node;

static KINDS: &[Description] = Kinds::<Vec2>::LIST;
const COUNT: usize = Kinds::<Vec2>::LIST.len();

const NAME: Key = required(
    "name",
    ValueKind::Text,
    "\"door\"",
    "The name of the measure in the table of `--measures` and in the summary, unique in the scene.",
);
static KEYS: [Key; COUNT + 1] = {
    let mut all = [NAME; COUNT + 1];
    let mut i = 0;
    while i < COUNT {
        let kind = &Kinds::<Vec2>::LIST[i];
        all[i + 1] = Key {
            name: kind.name,
            required: false,
            kind: ValueKind::Measure(kind),
            default: KeyDefault::NONE,
            doc: kind.doc,
            example: "",
        };
        i += 1;
    }
    all
};
static ONE_OF: [&[&str]; COUNT] = {
    let mut all: [&[&str]; COUNT] = [&[]; COUNT];
    let mut i = 0;
    while i < COUNT {
        all[i] = core::slice::from_ref(&Kinds::<Vec2>::LIST[i].name);
        i += 1;
    }
    all
};

pub(crate) static MEASURE: Table = Table {
    name: "measure",
    doc: "Something that is measured while the scene runs.",
    keys: &KEYS,
    one_of: &ONE_OF,
    needs: &[],
    example: "{ name = \"door\", flow = { line = [[300, 40], [340, 40]] } }",
};

/// The name of a kind of measure in the schema, apart from those of tables and behaviors.
pub(crate) fn measure_schema_name(kind: &str) -> String {
    format!("measure.{kind}")
}

impl Decoder {
    pub(super) fn measures<V: Vector>(&mut self, node: &Node, setup: &Setup<V>) -> Vec<Measure<V>> {
        let items = self
            .list("measure", node, "a list of tables, each under [[measure]]")
            .unwrap_or_default();
        let mut measures: Vec<Measure<V>> = Vec::new();
        for item in items {
            let before = self.problems.len();
            let found = self.one_of("measure", item, &MEASURE);
            let name = item.get("name").and_then(|name| self.text("name", name));
            let Some((kind, inner)) = found else { continue };
            let Some(mut kind) = Kinds::from_name(kind) else { continue };
            for (parameter, value) in self.parameters(kind.name(), kind.parameters(), inner) {
                kind.set(parameter, value);
            }
            // A measure with a mistake is a stand-in: it is not checked further.
            if self.problems.len() > before {
                continue;
            }
            let measure = Measure { name: name.unwrap_or_default(), kind };
            if measures.iter().any(|other| other.name == measure.name) {
                let message = format!("the name \"{}\" is given twice", measure.name);
                let span = item.get("name").map_or(self.head_of(item), |name| name.span.clone());
                self.problem(span, message, "a name of its own for each measure");
            } else if let Err(error) = measure.check(setup) {
                let at = inner.get(error.key).or_else(|| item.get(error.key)).unwrap_or(inner);
                self.problem(at.span.clone(), error.message, error.allowed);
            }
            measures.push(measure);
        }
        measures
    }

    /// The two ends of a line, or those of the line that a name refers to.
    pub(crate) fn line<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Vec<V>> {
        let allowed = wayfare::parameter::Kind::Line.to_string();
        if node.text().is_some() {
            let index = self.line_name(key, node)?;
            let line = self.names.line_tables[index].clone();
            let [from, to] = ["from", "to"].map(|end| line.get(end));
            return Some(vec![self.point("from", from?)?, self.point("to", to?)?]);
        }
        if node.list().is_none() {
            self.wrong(key, node, allowed);
            return None;
        }
        let points = self.points(key, node)?;
        if points.len() != 2 {
            let message = format!("`{key}` is a list of {} points", points.len());
            self.problem(node.span.clone(), message, allowed);
            return None;
        }
        Some(points)
    }
}

/// The description of a kind of measure.
pub(crate) fn kinds() -> &'static [Description] {
    KINDS
}
