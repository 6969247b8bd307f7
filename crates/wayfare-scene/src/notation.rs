//! Converts messages from TOML's notation to JSON's, for authors of scenes in JSON.

use crate::diagnostic::Problem;

/// The problem with its texts in JSON's notation.
pub(crate) fn in_json(problem: Problem) -> Problem {
    let message = match problem.message.strip_suffix(" is a table") {
        Some(key) => format!("{key} is an object"),
        None => problem.message,
    };
    let allowed =
        json(&problem.allowed).replace("a table ", "an object ").replace("of tables", "of objects");
    Problem { message, allowed, help: problem.help.as_deref().map(json), ..problem }
}

/// `mass = 20` as `"mass": 20`, `[[group]]` as `"group": [{ … }]`, `[pointer]` as
/// `"pointer": { … }`, and infinity as a text.
fn json(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        let word = &rest[..rest.find(|c: char| !is_name_char(c)).unwrap_or(rest.len())];
        if let Some((header, after)) = header(rest) {
            out.push_str(&header);
            rest = after;
        } else if word.is_empty() {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            let after = &rest[word.len()..];
            // In quotes it is a text, not a key.
            let quoted = out.ends_with(['"', '`']) || after.starts_with('"');
            match (after.strip_prefix(" = "), word) {
                (Some(value), _) if !quoted => {
                    out.push_str(&format!("\"{word}\": "));
                    rest = value;
                }
                (_, "inf" | "-inf") if !quoted => {
                    out.push_str(&format!("\"{word}\""));
                    rest = after;
                }
                _ => {
                    out.push_str(word);
                    rest = after;
                }
            }
        }
    }
    out
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// The TOML header at the beginning of `text` in JSON's notation, and the text after it.
fn header(text: &str) -> Option<(String, &str)> {
    let (inside, after, list) = match text.strip_prefix("[[") {
        Some(inside) => inside.split_once("]]").map(|(inside, after)| (inside, after, true))?,
        None => {
            text.strip_prefix('[')?.split_once(']').map(|(inside, after)| (inside, after, false))?
        }
    };
    let is_name =
        |name: &str| name.starts_with(char::is_alphabetic) && name.chars().all(is_name_char);
    if !inside.split('.').all(is_name) {
        return None;
    }
    let names: Vec<&str> = inside.split('.').collect();
    Some(match names[..] {
        // A list under a dotted header is a key of its group; a path is a key of its name.
        [.., name] if list => (format!("\"{name}\": [{{ … }}]"), after),
        [.., table, name] => (format!("\"{table}\": {{ \"{name}\": {{ … }} }}"), after),
        [name] => (format!("\"{name}\": {{ … }}"), after),
        [] => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_in_json_notation() {
        for (toml, expected) in [
            ("such as mass = 20", "such as \"mass\": 20"),
            (
                "{ box = { min = [0, 0], max = [10, 10] } }",
                "{ \"box\": { \"min\": [0, 0], \"max\": [10, 10] } }",
            ),
            (
                "a list of tables, each under [[group.state]]",
                "a list of tables, each under \"state\": [{ … }]",
            ),
            ("add a [path.NAME]", "add a \"path\": { \"NAME\": { … } }"),
            ("a [pointer] with a track", "a \"pointer\": { … } with a track"),
            (
                "a point [time, x, y] such as [0, 100, 50]",
                "a point [time, x, y] such as [0, 100, 50]",
            ),
            ("a speed from 0 to 1e9, or inf", "a speed from 0 to 1e9, or \"inf\""),
            ("a group's name: \"inf\", \"a = b\"", "a group's name: \"inf\", \"a = b\""),
        ] {
            assert_eq!(json(toml), expected);
        }
    }
}
