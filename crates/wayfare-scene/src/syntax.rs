//! Translates the errors of the TOML and JSON parsers to messages for authors of scenes.

use std::ops::Range;

use jsonc_parser::errors::ParseErrorKind;

/// The message and the allowed notation for an error of the TOML parser at `span`.
pub(crate) fn toml(text: &str, span: &Range<usize>, parser_message: &str) -> (String, String) {
    let (mistake, expected) = parser_message
        .split_once(", expected ")
        .unwrap_or((parser_message, "TOML as in https://toml.io"));
    let found = text.get(span.clone()).unwrap_or_default().trim();
    let next = text.get(span.start..).and_then(|rest| rest.chars().next()).unwrap_or('\n');
    let before = text.get(..span.start).unwrap_or_default().chars().next_back().unwrap_or('\n');
    let not_toml = |message: String, allowed: &str| {
        (format!("this is not TOML: {message}"), allowed.to_string())
    };
    let are_numbers = |text: &str| {
        text.split_whitespace().count() > 1
            && text.split_whitespace().all(|part| part.parse::<f64>().is_ok())
    };
    let no_value = || {
        let allowed = "a number, true, false, [ … ], { … }, or a text in quotes";
        not_toml("there is no value".to_string(), allowed)
    };
    match mistake {
        // What the parser says where a table or a list ends in place of a value.
        "invalid literal string" if matches!(next, '}' | ']' | ',') => no_value(),
        "string values must be quoted" | "invalid boolean" | "invalid value" | "missing value" => {
            match found {
                "" => no_value(),
                "True" | "TRUE" | "False" | "FALSE" => {
                    not_toml(format!("`{found}` is no value"), "true or false, in small letters")
                }
                _ if found.starts_with(['“', '”', '„', '‘', '’', '«']) => not_toml(
                    format!("`{found}` is no value"),
                    "a text in straight quotes, such as \"a text\"",
                ),
                _ if are_numbers(found) => {
                    not_toml(format!("`{found}` is no value"), "a comma between two numbers")
                }
                _ => not_toml(
                    format!("`{found}` is no value"),
                    "a number, true, false, [ … ], { … }, or a text in quotes, such as \"a text\"",
                ),
            }
        }
        "invalid basic string" if expected == "`\"`" => not_toml(
            "the text does not end on its line".to_string(),
            "a `\"` at the end of the text",
        ),
        "invalid basic string" => not_toml(
            "a text with a control character".to_string(),
            "a text of visible characters; others are written as \\t, \\n or \\u0000",
        ),
        "invalid unquoted key" if next == ':' => {
            not_toml("a colon after a key".to_string(), "key = value")
        }
        "invalid unquoted key" => not_toml(
            format!("`{next}` in a key"),
            "letters, digits, `-` and `_`, or a key in quotes",
        ),
        "key with no value" => not_toml("a key without a value".to_string(), "key = value"),
        "invalid key-value pair" if next == '{' => not_toml(
            "a table without a key".to_string(),
            "key = value; a scene in JSON has a name that ends in .json",
        ),
        "invalid key-value pair" => not_toml(mistake.to_string(), "key = value"),
        "unexpected key or value" if next == ',' && before.is_ascii_digit() => {
            not_toml("a comma in a number".to_string(), "a point, such as 0.5")
        }
        "unexpected key or value" if next == ';' || next == ',' => not_toml(
            format!("`{next}` after a value"),
            "the end of the line: no comma, no semicolon",
        ),
        "unexpected key or value" => not_toml(
            "something after the value".to_string(),
            "the end of the line, or a comment after `#`",
        ),
        "missing comma between array elements" => not_toml(
            "a list without an end, or without a comma".to_string(),
            "a `,` before the next value, or the `]` that ends the list",
        ),
        "unclosed array" => {
            not_toml("a list without an end".to_string(), "a `]` that ends the list")
        }
        "unclosed inline table" => {
            not_toml("a table without an end".to_string(), "a `}` that ends the table")
        }
        "invalid inline table element" if next == ']' => {
            not_toml("a table without an end".to_string(), "a `}` that ends the table")
        }
        "missing comma between key-value pairs" => not_toml(
            "a table without an end, or without a comma".to_string(),
            "a `,` before the next key, or the `}` that ends the table",
        ),
        "unclosed array table" => not_toml(
            "a header without an end".to_string(),
            "two brackets on both sides, such as [[group]]",
        ),
        "unclosed table" => {
            not_toml("a header without an end".to_string(), "a `]` at its end, such as [bounds]")
        }
        "unexpected leading zero" => not_toml(
            "a number that begins with 0".to_string(),
            "a number without zeros before it, such as 1 or 0.5",
        ),
        "invalid mantissa" => not_toml(
            "a number that begins or ends with its decimal point".to_string(),
            "a number with digits on both sides of the point, such as 0.5",
        ),
        "cannot recurse further; max recursion depth met" => not_toml(
            "lists and tables nested too deep".to_string(),
            "lists and tables at most 80 deep",
        ),
        _ if expected == "nothing" => {
            not_toml(mistake.to_string(), "a number such as 1000, -0.5 or 1e3")
        }
        _ => not_toml(mistake.to_string(), expected),
    }
}

/// The largest depth of JSON, for messages.
pub(crate) const JSON_DEPTH: &str = "lists and objects at most 256 deep";
const _: () = assert!(crate::document::MOST_NESTED == 256);

/// The allowed text where the JSON parser reports an error; `found` is the text from there on, and
/// `first` tells whether no object has begun before it.
pub(crate) fn json_expected(kind: &ParseErrorKind, found: &str, first: bool) -> &'static str {
    let is = |words: &[&str]| words.iter().any(|word| found.starts_with(word));
    match kind {
        ParseErrorKind::NestingDepthExceeded => JSON_DEPTH,
        _ if is(&["NaN", "nan"]) => "a number; there is no NaN",
        _ if is(&["Infinity", "-Infinity", "+Infinity", "inf", "-inf"]) => {
            "a number; where there may be no limit, \"inf\""
        }
        _ if is(&["True", "False"]) => "true or false, in small letters",
        _ if is(&["None", "undefined"]) => "a value; leave out a key that has no value",
        ParseErrorKind::ExpectedComma => "a comma between two entries",
        ParseErrorKind::ExpectedColonAfterObjectKey => "a colon between a key and its value",
        ParseErrorKind::ExpectedStringObjectProperty => "a key in double quotes",
        ParseErrorKind::CommentsNotAllowed => "no comments; a scene in TOML may have them",
        ParseErrorKind::TrailingCommasNotAllowed => "no comma after the last entry",
        ParseErrorKind::SingleQuotedStringsNotAllowed => "a text in double quotes",
        _ if first => "JSON, an object { … }; a scene in TOML has a name that ends in .toml",
        ParseErrorKind::MultipleRootJsonValues => "one object, and nothing after it",
        ParseErrorKind::UnterminatedArray => "a `]` that closes the list",
        ParseErrorKind::UnterminatedObject => "a `}` that closes the object",
        ParseErrorKind::BareDecimalPointNumbersNotAllowed
        | ParseErrorKind::ExpectedDigit
        | ParseErrorKind::ExpectedDigitFollowingNegativeSign
        | ParseErrorKind::ExpectedPlusMinusOrDigitInNumberLiteral
        | ParseErrorKind::HexadecimalNumbersNotAllowed
        | ParseErrorKind::NonFiniteNumbersNotAllowed
        | ParseErrorKind::UnaryPlusNumbersNotAllowed => "a number such as 2, -0.5 or 1e3",
        _ => "a number, a text in double quotes, true, false, null, [ … ] or { … }",
    }
}
