//! A scene file as a tree with places: what TOML and JSON have in common, each value with its span in the text.
//!
//! Derived deserialization stops at the first error and loses places inside enums; this tree is decoded by the behaviors' own
//! descriptions instead, and every mistake in it can be shown where it stands.

use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;

use crate::diagnostic::Problem;

/// How the text of a scene is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

/// A value and where it stands (bytes of the text).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) tree: Tree,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Text(String),
    Integer(i128),
    Number(f64),
    Bool(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// Something that no scene uses: a date, null.
    Other(&'static str),
}

/// A key of a table with its value; in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) span: Range<usize>,
    pub(crate) node: Node,
}

impl Node {
    /// The entries of a table.
    pub(crate) fn table(&self) -> Option<&[Entry]> {
        if let Tree::Table(entries) = &self.tree { Some(entries) } else { None }
    }

    pub(crate) fn list(&self) -> Option<&[Node]> {
        if let Tree::List(items) = &self.tree { Some(items) } else { None }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Tree::Text(text) = &self.tree { Some(text) } else { None }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.table()?.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// What a person calls such a value.
    pub(crate) fn what(&self) -> String {
        match &self.tree {
            Tree::Text(text) if text.chars().count() <= 40 => format!("the text \"{text}\""),
            Tree::Text(_) => "a text".to_string(),
            Tree::Integer(x) => format!("the number {x}"),
            Tree::Number(x) => format!("the number {x}"),
            Tree::Bool(x) => format!("{x}"),
            Tree::List(items) if items.is_empty() => "an empty list".to_string(),
            Tree::List(items) => format!("a list of {}", items.len()),
            Tree::Table(_) => "a table".to_string(),
            Tree::Other(what) => (*what).to_string(),
        }
    }
}

/// Reads `text` into a tree.
///
/// # Errors
/// All mistakes of syntax that the format's parser finds.
pub(crate) fn read(text: &str, format: Format) -> Result<Node, Vec<Problem>> {
    match format {
        Format::Toml => read_toml(text),
        Format::Json => read_json(text),
    }
}

fn read_toml(text: &str) -> Result<Node, Vec<Problem>> {
    let (table, errors) = toml::de::DeTable::parse_recoverable(text);
    if errors.is_empty() {
        let span = table.span();
        return Ok(Node { span, tree: toml_table(table.into_inner()) });
    }
    let problem = |error: &toml::de::Error| Problem {
        span: error.span().unwrap_or(0..0),
        message: format!("this is not TOML: {}", error.message()),
        allowed: "mend this first; the rest of the file is checked then".to_string(),
        help: None,
    };
    Err(errors.iter().map(problem).collect())
}

fn toml_table(table: toml::de::DeTable<'_>) -> Tree {
    let mut entries: Vec<Entry> =
        table.into_iter().map(|(key, value)| Entry { span: key.span(), key: key.into_inner().into_owned(), node: toml_node(value) }).collect();
    entries.sort_by_key(|entry| entry.span.start);
    Tree::Table(entries)
}

fn toml_node(value: toml::Spanned<toml::de::DeValue<'_>>) -> Node {
    use toml::de::DeValue;
    let span = value.span();
    let tree = match value.into_inner() {
        DeValue::String(text) => Tree::Text(text.into_owned()),
        DeValue::Integer(x) => i128::from_str_radix(x.as_str(), x.radix()).map_or(Tree::Number(f64::INFINITY), Tree::Integer),
        DeValue::Float(x) => Tree::Number(x.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(x) => Tree::Bool(x),
        DeValue::Datetime(_) => Tree::Other("a date"),
        DeValue::Array(items) => Tree::List(items.into_iter().map(toml_node).collect()),
        DeValue::Table(table) => toml_table(table),
    };
    Node { span, tree }
}

fn read_json(text: &str) -> Result<Node, Vec<Problem>> {
    let strict = jsonc_parser::ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let problem = |span: Range<usize>, message: String| {
        vec![Problem { span, message, allowed: "mend this first; the rest of the file is checked then".to_string(), help: None }]
    };
    match jsonc_parser::parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &strict) {
        Ok(parsed) => match parsed.value {
            Some(value) => Ok(json_node(value)),
            None => Err(problem(0..0, "this is not JSON: the file is empty".to_string())),
        },
        Err(error) => Err(problem(error.range().start..error.range().end, format!("this is not JSON: {}", error.kind()))),
    }
}

fn json_node(value: ast::Value<'_>) -> Node {
    let range = value.range();
    let span = range.start..range.end;
    let tree = match value {
        ast::Value::StringLit(text) => Tree::Text(text.value.into_owned()),
        ast::Value::NumberLit(x) => match x.value.parse() {
            Ok(integer) => Tree::Integer(integer),
            Err(_) => Tree::Number(x.value.parse().unwrap_or(f64::NAN)),
        },
        ast::Value::BooleanLit(x) => Tree::Bool(x.value),
        ast::Value::Object(object) => Tree::Table(
            object
                .properties
                .into_iter()
                .map(|property| {
                    let range = property.name.range();
                    Entry { key: property.name.into_string(), span: range.start..range.end, node: json_node(property.value) }
                })
                .collect(),
        ),
        ast::Value::Array(array) => Tree::List(array.elements.into_iter().map(json_node).collect()),
        ast::Value::NullKeyword(_) => Tree::Other("null"),
    };
    Node { span, tree }
}
