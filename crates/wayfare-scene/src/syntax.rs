//! Messages about text that is not TOML or not JSON, from the parsers' errors, in words for authors
//! of scenes.

use std::ops::Range;

use jsonc_parser::errors::ParseErrorKind;

/// What is wrong and what is allowed, from the TOML parser's message about `span`.
pub(crate) fn toml(text: &str, span: &Range<usize>, parser: &str) -> (String, String) {
    let (what, expected) =
        parser.split_once(", expected ").unwrap_or((parser, "TOML as in https://toml.io"));
    let found = text.get(span.clone()).unwrap_or_default().trim();
    let next = text.get(span.start..).and_then(|rest| rest.chars().next()).unwrap_or('\n');
    let before = text.get(..span.start).unwrap_or_default().chars().next_back().unwrap_or('\n');
    let say =
        |what: String, allowed: &str| (format!("this is not TOML: {what}"), allowed.to_string());
    let numbers = |text: &str| {
        text.split_whitespace().count() > 1
            && text.split_whitespace().all(|part| part.parse::<f64>().is_ok())
    };
    match what {
        "string values must be quoted" | "invalid boolean" | "invalid value" | "missing value" => {
            match found {
                "" => say(
                    "there is no value".to_string(),
                    "a number, true, false, [ … ], { … }, or a text in quotes",
                ),
                "True" | "TRUE" | "False" | "FALSE" => {
                    say(format!("`{found}` is no value"), "true or false, in small letters")
                }
                _ if found.starts_with(['“', '”', '„', '‘', '’', '«']) => say(
                    format!("`{found}` is no value"),
                    "a text in straight quotes, such as \"a text\"",
                ),
                _ if numbers(found) => {
                    say(format!("`{found}` is no value"), "a comma between two numbers")
                }
                _ => say(
                    format!("`{found}` is no value"),
                    "a number, true, false, [ … ], { … }, or a text in quotes, such as \"a text\"",
                ),
            }
        }
        "invalid basic string" if expected == "`\"`" => {
            say("the text does not end on its line".to_string(), "a `\"` at the end of the text")
        }
        "invalid basic string" => say(
            "a text with a control character".to_string(),
            "a text of visible characters; others are written as \\t, \\n or \\u0000",
        ),
        "invalid unquoted key" if next == ':' => {
            say("a colon after a key".to_string(), "key = value")
        }
        "invalid unquoted key" => {
            say(format!("`{next}` in a key"), "letters, digits, `-` and `_`, or a key in quotes")
        }
        "key with no value" => say("a key without a value".to_string(), "key = value"),
        "invalid key-value pair" if next == '{' => say(
            "a table without a key".to_string(),
            "key = value; a scene in JSON has a name that ends in .json",
        ),
        "invalid key-value pair" => say(what.to_string(), "key = value"),
        "unexpected key or value" if next == ',' && before.is_ascii_digit() => {
            say("a comma in a number".to_string(), "a point, such as 0.5")
        }
        "unexpected key or value" if next == ';' || next == ',' => {
            say(format!("`{next}` after a value"), "the end of the line, without a mark")
        }
        "unexpected key or value" => say(
            "something after the value".to_string(),
            "the end of the line, or a comment after `#`",
        ),
        "missing comma between array elements" => say(
            "a list without an end, or without a comma".to_string(),
            "a `,` before the next value, or the `]` that ends the list",
        ),
        "unclosed array" => say("a list without an end".to_string(), "a `]` that ends the list"),
        "unclosed inline table" => {
            say("a table without an end".to_string(), "a `}` that ends the table")
        }
        "missing comma between key-value pairs" => say(
            "a table without an end, or without a comma".to_string(),
            "a `,` before the next key, or the `}` that ends the table",
        ),
        "unclosed array table" => say(
            "a header without an end".to_string(),
            "two brackets on both sides, such as [[group]]",
        ),
        "unclosed table" => {
            say("a header without an end".to_string(), "a `]` at its end, such as [bounds]")
        }
        "unexpected leading zero" => say(
            "a number that begins with 0".to_string(),
            "a number without zeros before it, such as 1 or 0.5",
        ),
        "invalid mantissa" => say(
            "a number that begins or ends with its point".to_string(),
            "a number with digits on both sides of the point, such as 0.5",
        ),
        "cannot recurse further; max recursion depth met" => say(
            "lists and tables inside one another, too deep".to_string(),
            "lists and tables at most 80 deep",
        ),
        _ if expected == "nothing" => say(what.to_string(), "a number such as 1000, -0.5 or 1e3"),
        _ => (format!("this is not TOML: {what}"), expected.to_string()),
    }
}

/// How deep JSON may be nested.
pub(crate) const JSON_DEPTH: &str = "lists and objects at most 256 deep";
const _: () = assert!(crate::document::MOST_NESTED == 256);

/// What is allowed where the parser of JSON found something else, which begins with `found`;
/// `first` tells that no object has begun.
pub(crate) fn json_expected(kind: &ParseErrorKind, found: &str, first: bool) -> &'static str {
    let is = |words: &[&str]| words.iter().any(|word| found.starts_with(word));
    match kind {
        ParseErrorKind::NestingDepthExceeded => JSON_DEPTH,
        _ if is(&["NaN", "nan"]) => "a number; there is no NaN",
        _ if is(&["Infinity", "-Infinity", "+Infinity", "inf", "-inf"]) => {
            "a number; where there may be no limit, \"inf\""
        }
        _ if is(&["True", "False"]) => "true or false, in small letters",
        _ if is(&["None", "undefined"]) => "a value; what is not to be given is left out",
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
