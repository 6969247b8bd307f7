//! Conditions: `when = { near = "prey", within = 180 }`. Their kinds and keys are the library's
//! list of variants.

use wayfare::crowd::Condition;
use wayfare::glam::Vec2;
use wayfare::parameter::{Kind, StateId, Value, Variant, Variants};
use wayfare::vector::Vector;

use super::{Key, Table, variants};
use crate::decode::{Decoder, TableNode};
use crate::document::Node;

const LIST: &[Variant] = <Condition<Vec2> as Variants<Vec2>>::LIST;
static KEYS: [Key; variants::count_keys(LIST)] = variants::keys(LIST);
static ONE_OF: [&[&str]; variants::count_tables(LIST)] = variants::one_of(LIST);
static NEEDS: [(&str, &str); variants::count_needs(LIST)] = variants::needs(LIST);

pub(crate) static CONDITION: Table = Table {
    name: "when",
    doc: "A condition: one of these.",
    keys: &KEYS,
    one_of: &ONE_OF,
    needs: &NEEDS,
    example: "{ time_in_state = 50 } or { near = \"prey\", within = 180 }",
};

impl Decoder {
    pub(super) fn condition<V: Vector>(&mut self, node: &Node) -> Option<Condition<V>> {
        let variant = self.condition_variant(node)?;
        let known: Vec<_> = variant.parameters.iter().map(|p| (p.name, p.required)).collect();
        self.table_entries("when", node, &known)?;
        let keys = TableNode { node, table: &CONDITION };
        let is_complete = self.has_a_further_key(keys, variant);
        let mut condition: Option<Condition<V>> = self.variant(keys, variant);
        for parameter in variant.parameters {
            let Some(inner) = keys.get(parameter.name) else { continue };
            if let (Kind::State, Some(target)) = (parameter.kind, keys.get(variant.name)) {
                let state = self.state_of_target(parameter.name, inner, target);
                condition = condition.zip(state).and_then(|(mut condition, state)| {
                    let value = Value::State(StateId(state));
                    condition.set(parameter.name, value).then_some(condition)
                });
                continue;
            }
            let operands = match parameter.kind {
                Kind::Condition => self.condition(inner).map(|operand| vec![operand]),
                Kind::Conditions => self
                    .list(parameter.name, inner, &parameter.kind.to_string())
                    .map(|items| items.iter().filter_map(|item| self.condition(item)).collect()),
                _ => continue,
            };
            condition = condition.zip(operands).and_then(|(mut condition, operands)| {
                condition.set_operands(operands).then_some(condition)
            });
        }
        condition.filter(|_| is_complete)
    }

    /// Whether one of the keys beside the first is given where all of them are optional; reports it
    /// otherwise.
    fn has_a_further_key(&mut self, keys: TableNode<'_>, variant: &Variant) -> bool {
        let others = variant.parameters.get(1..).unwrap_or_default();
        let is_given = |name| keys.get(name).is_some();
        if others.is_empty() || others.iter().any(|key| key.required || is_given(key.name)) {
            return true;
        }
        let others: Vec<&str> = others.iter().map(|key| key.name).collect();
        let others = others.join("` or `");
        let message = format!("`{}` has no `{others}` beside it", variant.name);
        let allowed = format!("`{others}`, such as {}", variant.example);
        self.problem(keys.node.span.clone(), message, allowed);
        false
    }

    /// The variant that the keys of a condition name.
    fn condition_variant(&mut self, node: &Node) -> Option<&'static Variant> {
        let names: Vec<&str> = LIST.iter().map(|variant| variant.name).collect();
        let example = CONDITION.example;
        let Some(entries) = node.table() else {
            let also = if node.list().is_some() {
                "; several are joined by all = [ … ] or any = [ … ]"
            } else {
                ""
            };
            let allowed =
                format!("a table with one of {}, such as {example}{also}", names.join(", "));
            self.wrong("when", node, allowed);
            return None;
        };
        let found: Vec<_> =
            LIST.iter().filter(|variant| node.get(variant.name).is_some()).collect();
        match (found[..].split_first(), entries.first()) {
            (Some((variant, [])), _) => return Some(variant),
            (Some(_), _) => {
                let message = format!("`when` has {} conditions at once", found.len());
                let allowed = "one condition; several are joined by all = [{ … }, { … }] or any = \
                               [{ … }, { … }]";
                self.problem(node.span.clone(), message, allowed);
            }
            (None, None) => {
                let allowed = format!("one of {}, such as {example}", names.join(", "));
                self.problem(node.span.clone(), "`when` is empty", allowed);
            }
            (None, Some(first)) => match NEEDS.iter().find(|(key, _)| *key == first.key) {
                Some((key, needed)) => {
                    let variant = LIST.iter().find(|variant| variant.name == *needed);
                    let example = variant.map_or(example, |variant| variant.example);
                    let message = format!("`{key}` has no `{needed}` beside it");
                    let allowed = format!("`{needed}` as well, such as {example}");
                    self.problem(first.span.clone(), message, allowed);
                }
                None => {
                    let message = format!("`{}` is not a condition", first.key);
                    self.unknown(&first.span, &message, &first.key, &names, "");
                }
            },
        }
        None
    }
}
