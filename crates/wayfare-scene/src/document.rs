//! The syntax tree of a scene file: the values that TOML and JSON have in common, with their spans
//! in the text.
//!
//! Derived deserialization stops at the first error and loses spans inside enums. This tree is
//! decoded by descriptions instead, so that all mistakes are reported at once.

use std::collections::HashMap;
use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;

use crate::diagnostic::{MOST_SHOWN, Problem};
use crate::format::{Key, SCENE, ValueKind};
use crate::syntax;

/// The notation of a scene's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

/// A value and its span (bytes of the text).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    Text(String),
    Integer(i128),
    Number(f64),
    Bool(bool),
    /// A number that no `f64` holds, as it is written: it is neither infinite nor in any range.
    TooLarge(String),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// A value of a kind that no scene uses: a date, null.
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
        if let Content::Table(entries) = &self.content { Some(entries) } else { None }
    }

    pub(crate) fn list(&self) -> Option<&[Node]> {
        if let Content::List(items) = &self.content { Some(items) } else { None }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Content::Text(text) = &self.content { Some(text) } else { None }
    }

    pub(crate) fn is_number(&self) -> bool {
        matches!(self.content, Content::Integer(_) | Content::Number(_) | Content::TooLarge(_))
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.table()?.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The value in words, for messages.
    pub(crate) fn describe(&self) -> String {
        match &self.content {
            Content::Text(text) if text.is_empty() => "an empty text".to_string(),
            Content::Text(text) if text.trim().is_empty() => "a text of spaces".to_string(),
            Content::Text(text) if text.chars().count() <= 40 => format!("the text \"{text}\""),
            Content::Text(_) => "a text".to_string(),
            // All digits of a seed are shown; longer numbers are rounded.
            Content::Integer(x) if x.unsigned_abs() < 1 << 70 => format!("the number {x}"),
            Content::Integer(x) => format!("the number {:e}", *x as f64),
            Content::Number(x) if *x != 0.0 && x.is_finite() && !(1e-5..1e9).contains(&x.abs()) => {
                format!("the number {x:e}")
            }
            // `{x:?}` writes 3.0 with its decimal point: a whole number is expected where 3 is.
            Content::Number(x) => format!("the number {x:?}"),
            Content::TooLarge(text) if text.len() <= 40 => format!("the number {text}"),
            Content::TooLarge(text) => format!("a number of {} digits", text.len()),
            Content::Bool(x) => format!("{x}"),
            Content::List(items) if items.is_empty() => "an empty list".to_string(),
            Content::List(items) => format!("a list of {}", items.len()),
            Content::Table(_) => "a table".to_string(),
            Content::Other(kind) => (*kind).to_string(),
        }
    }
}

/// Parses `text`.
///
/// # Errors
/// All syntax errors that the format's parser finds.
pub(crate) fn parse(text: &str, format: Format) -> Result<Node, Vec<Problem>> {
    // A byte order mark is replaced by as many spaces, so that spans stay correct.
    let unmarked = text.strip_prefix('\u{feff}').map(|rest| format!("   {rest}"));
    let text = unmarked.as_deref().unwrap_or(text);
    match format {
        Format::Toml => read_toml(text),
        Format::Json => read_json(text),
    }
}

/// The help of the last syntax error: a text with syntax errors is not decoded.
const CHECKED_LATER: &str = "the rest of the file is checked once this is corrected";

fn read_toml(text: &str) -> Result<Node, Vec<Problem>> {
    let (table, errors) = toml::de::DeTable::parse_recoverable(text);
    if errors.is_empty() {
        let span = table.span();
        return Ok(Node { span, content: toml_table(table.into_inner()) });
    }
    let mut problems: Vec<Problem> =
        errors[..count_reported(&errors)].iter().map(|error| toml_problem(text, error)).collect();
    leave_out_keys_of_repeated_tables(text, &mut problems);
    // Searching the first definition is linear in the file, so only those shown are searched.
    for problem in
        problems.iter_mut().filter(|problem| problem.allowed == EACH_ONCE).take(MOST_SHOWN)
    {
        problem.also = first_in_toml(text, &problem.span).map(|first| (first, FIRST_GIVEN));
        if problem.also.is_none() {
            explain_other_definition(text, problem);
        }
    }
    if let Some(last) = problems.iter_mut().max_by_key(|problem| problem.span.start) {
        last.help.get_or_insert_with(|| CHECKED_LATER.to_string());
    }
    Err(problems)
}

/// Leaves out the repeated keys of a repeated `[table]`: they follow from its header, which says
/// how several are written.
fn leave_out_keys_of_repeated_tables(text: &str, problems: &mut Vec<Problem>) {
    problems.sort_by_key(|problem| problem.span.start);
    problems.dedup_by(|a, b| a.span.start == b.span.start && a.message == b.message);
    let mut until = 0;
    problems.retain_mut(|problem| {
        if problem.allowed != EACH_ONCE {
            return true;
        }
        let start = text[..problem.span.start].rfind('\n').map_or(0, |end| end + 1);
        let line = text[start..].lines().next().unwrap_or_default().trim();
        let header = line.strip_prefix('[').filter(|rest| !rest.starts_with('['));
        if let Some((name, _)) = header.and_then(|rest| rest.split_once(']')) {
            let next = text[problem.span.end..].find("\n[");
            until = next.map_or(text.len(), |at| problem.span.end + at);
            let is_list =
                |key: &Key| key.name == name.trim() && matches!(key.kind, ValueKind::Tables(_));
            if SCENE.keys.iter().any(is_list) {
                problem.help = Some(format!("of several, each is a [[{name}]]"));
            }
            return true;
        }
        problem.span.start >= until
    });
}

/// The number of errors to report: after a bracket that is never closed, the parser reads the rest
/// of the file as its content, and the errors in it mean nothing.
fn count_reported(errors: &[toml::de::Error]) -> usize {
    let unclosed = errors.iter().any(|error| {
        ["unclosed array,", "unclosed inline table,"]
            .iter()
            .any(|beginning| error.message().starts_with(beginning))
    });
    let is_in_brackets = |error: &toml::de::Error| {
        [
            "missing comma",
            "unclosed array,",
            "unclosed inline table,",
            "missing inline table",
            "invalid inline table element",
            "missing array",
        ]
        .iter()
        .any(|beginning| error.message().starts_with(beginning))
    };
    errors
        .iter()
        .position(is_in_brackets)
        .filter(|_| unclosed)
        .map_or(errors.len(), |first| first + 1)
}

fn toml_problem(text: &str, error: &toml::de::Error) -> Problem {
    let span = error.span().unwrap_or(0..0);
    if error.message() == "duplicate key" {
        return duplicate_key(text.get(span.clone()).unwrap_or_default(), span);
    }
    let (message, allowed) = syntax::toml(text, &span, error.message());
    Problem::new(span, message, allowed)
}

/// The allowed count of a key, for the error about the second of two equal keys.
const EACH_ONCE: &str = "each key once";
/// The label of the first of two equal keys.
const FIRST_GIVEN: &str = "first given here";

fn duplicate_key(key: &str, span: Range<usize>) -> Problem {
    Problem::new(span, format!("`{key}` is given twice"), EACH_ONCE)
}

/// The first definition of the repeated key at `span`: its header, or its line under the same
/// header. The parser does not report it.
fn first_in_toml(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let key = text.get(span.clone())?;
    let is_key =
        |rest: &str| rest.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
    let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    let (before, column) = (&text[start..span.start], span.start - start);
    if before.contains('{') {
        let first = before
            .match_indices(key)
            .map(|(at, _)| at)
            .filter(|at| is_key(&before[*at..]) && stays_in_table(&before[*at..]))
            .last()?;
        return Some(start + first..start + first + key.len());
    }
    let header =
        before.trim_start().starts_with('[').then(|| text[start..].lines().next()).flatten();
    let mut end = start;
    for line in text[..start].split_inclusive('\n').rev() {
        end -= line.len();
        let indent = line.len() - line.trim_start().len();
        match header {
            Some(header) if line.trim_end() == header.trim_end() => {
                return Some(end + column..end + column + key.len());
            }
            Some(_) => {}
            None if is_key(line.trim_start()) => {
                return Some(end + indent..end + indent + key.len());
            }
            // Another header: the first definition has another notation.
            None if line.trim_start().starts_with('[') && line.trim_end().ends_with(']') => {
                return None;
            }
            None => {}
        }
    }
    None
}

/// Explains a `[[header]]` whose key is already defined in another notation: as a table, as an
/// inline list, or by a header of a table inside it.
fn explain_other_definition(text: &str, problem: &mut Problem) {
    let start = text[..problem.span.start].rfind('\n').map_or(0, |end| end + 1);
    let Some(path) = text[start..]
        .lines()
        .next()
        .and_then(|line| line.trim().strip_prefix("[[")?.split_once("]]"))
        .map(|(path, _)| path.trim())
    else {
        return;
    };
    let key = path.rsplit('.').next().unwrap_or(path);
    let mut end = start;
    for line in text[..start].split_inclusive('\n').rev() {
        end -= line.len();
        let indent = line.len() - line.trim_start().len();
        let here = line.trim();
        let inner =
            [format!("[[{path}."), format!("[{path}.")].iter().any(|begin| here.starts_with(begin));
        let single = here.starts_with(&format!("[{path}]"));
        let in_line = here.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
        if inner || single || in_line {
            problem.allowed = if inner {
                format!("[[{path}]] first, and what belongs to it after it")
            } else if single {
                format!("[[{path}]] in two brackets for each of them")
            } else {
                format!("either {key} = [ … ] or [[{path}]], not both")
            };
            problem.also = Some((end + indent..end + indent + here.len(), FIRST_GIVEN));
            return;
        }
    }
}

fn toml_table(table: toml::de::DeTable<'_>) -> Content {
    let mut entries: Vec<Entry> = table
        .into_iter()
        .map(|(key, value)| Entry {
            span: key.span(),
            key: key.into_inner().into_owned(),
            node: toml_node(value),
        })
        .collect();
    entries.sort_by_key(|entry| entry.span.start);
    Content::Table(entries)
}

fn toml_node(value: toml::Spanned<toml::de::DeValue<'_>>) -> Node {
    use toml::de::DeValue;
    let span = value.span();
    let content = match value.into_inner() {
        DeValue::String(text) => Content::Text(text.into_owned()),
        DeValue::Integer(x) => i128::from_str_radix(x.as_str(), x.radix())
            .map_or_else(|_| number(x.as_str()), Content::Integer),
        DeValue::Float(x) => number(x.as_str()),
        DeValue::Boolean(x) => Content::Bool(x),
        DeValue::Datetime(_) => Content::Other("a date"),
        DeValue::Array(items) => Content::List(items.into_iter().map(toml_node).collect()),
        DeValue::Table(table) => toml_table(table),
    };
    Node { span, content }
}

/// Parses a number. A finite number that overflows is not infinity, which some keys allow.
fn number(text: &str) -> Content {
    match text.parse::<f64>() {
        Ok(x) if x.is_infinite() && !text.contains("inf") => Content::TooLarge(text.to_string()),
        Ok(x) => Content::Number(x),
        // An integer beyond 128 bits in another base is not a decimal number.
        Err(_) => Content::TooLarge(text.to_string()),
    }
}

/// Whether the text after a key of an inline table stays in that table.
fn stays_in_table(text: &str) -> bool {
    let mut depth = 0;
    let inside = text.chars().all(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth >= 0
    });
    inside && depth == 0
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
    match jsonc_parser::parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &strict) {
        Ok(parsed) => {
            let mut problems = Vec::new();
            let root = parsed.value.map(|value| json_node(value, 1, &mut problems));
            match root {
                Some(root) if problems.is_empty() => Ok(root),
                Some(_) => Err(problems),
                None => Err(vec![Problem::new(
                    0..0,
                    "this is not JSON: the file is empty",
                    "an object: { … }",
                )]),
            }
        }
        Err(error) => {
            let kind = error.kind().to_string();
            let message = format!("this is not JSON: {}{}", kind[..1].to_lowercase(), &kind[1..]);
            let span = error.range().start..error.range().end;
            let found = text.get(span.start..).unwrap_or_default();
            let first = !text[..span.start].contains('{');
            let problem =
                Problem::new(span, message, syntax::json_expected(error.kind(), found, first));
            Err(vec![Problem { help: Some(CHECKED_LATER.to_string()), ..problem }])
        }
    }
}

/// The largest depth of nested lists and objects in JSON. The parser's own limit is 512, and it
/// counts each object twice.
pub(crate) const MOST_NESTED: usize = 256;

/// Converts a value at this depth to a node; reports duplicate keys of objects and values that are
/// too deep.
fn json_node(value: ast::Value<'_>, depth: usize, problems: &mut Vec<Problem>) -> Node {
    let range = value.range();
    let span = range.start..range.end;
    let nested = matches!(value, ast::Value::Object(_) | ast::Value::Array(_));
    if nested && depth > MOST_NESTED {
        let message = "this is not a scene: lists and objects nested too deep";
        problems.push(Problem::new(span.clone(), message, syntax::JSON_DEPTH));
        return Node { span, content: Content::Other("a value that is too deep") };
    }
    let content = match value {
        ast::Value::StringLit(text) => Content::Text(text.value.into_owned()),
        ast::Value::NumberLit(x) => match x.value.parse() {
            Ok(integer) => Content::Integer(integer),
            Err(_) => number(x.value),
        },
        ast::Value::BooleanLit(x) => Content::Bool(x.value),
        ast::Value::Object(object) => {
            let mut first = HashMap::new();
            let mut entries = Vec::new();
            for property in object.properties {
                let range = property.name.range();
                let (span, key) = (range.start..range.end, property.name.into_string());
                if let Some(first) = first.insert(key.clone(), span.clone()) {
                    problems.push(Problem {
                        also: Some((first, FIRST_GIVEN)),
                        ..duplicate_key(&key, span.clone())
                    });
                }
                let node = json_node(property.value, depth + 1, problems);
                entries.push(Entry { key, span, node });
            }
            Content::Table(entries)
        }
        ast::Value::Array(array) => {
            let items = array.elements.into_iter();
            Content::List(items.map(|item| json_node(item, depth + 1, problems)).collect())
        }
        ast::Value::NullKeyword(_) => Content::Other("null"),
    };
    Node { span, content }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_can_be_as_deep_as_its_message_allows() {
        let lists = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let objects = |depth| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        let limit = "lists and objects at most 256 deep";
        for text in [lists(256), objects(256)] {
            assert!(parse(&text, Format::Json).is_ok(), "256 levels are refused");
        }
        for text in [lists(257), objects(257), lists(600), objects(600)] {
            let problems = parse(&text, Format::Json).expect_err("257 levels are read");
            assert_eq!(problems[0].allowed, limit);
        }
    }

    #[test]
    fn a_number_that_no_float_holds_is_reported_as_written() {
        for text in ["1e999", "-1e400", "123e4567"] {
            let toml = parse(&format!("x = {text}"), Format::Toml).expect("it is TOML");
            let json = parse(&format!("{{\"x\": {text}}}"), Format::Json).expect("it is JSON");
            for root in [toml, json] {
                let node = root.get("x").expect("the key is given");
                assert_eq!(node.describe(), format!("the number {text}"));
            }
        }
    }
}
