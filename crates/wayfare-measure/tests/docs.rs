//! docs/measures.md: its sections equal the text made from the descriptions.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::path::Path;

use wayfare::glam::Vec2;
use wayfare::parameter::{Parameter, Value};
use wayfare_measure::Kinds;

/// The text after this line of the page is made from the descriptions.
const MARK: &str = "<!-- The rest is made from the descriptions in the code. -->\n";

#[test]
fn the_page_of_measures_equals_the_text_made_from_the_descriptions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/measures.md");
    let there = std::fs::read_to_string(&path).unwrap();
    let (written, made) = there.split_once(MARK).unwrap();
    let sections = sections();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{written}{MARK}{sections}")).unwrap();
        return;
    }
    assert!(
        made == sections,
        "docs/measures.md is out of date: run the tests once with UPDATE_DOCS=1 and read the \
         difference"
    );
}

fn sections() -> String {
    let mut page = String::new();
    for (kind, quantities) in Kinds::<Vec2>::LIST.iter().zip(Kinds::<Vec2>::QUANTITIES) {
        page.push_str(&format!("\n## {}\n\n{}\n", kind.name, paragraphs(kind.doc)));
        page.push_str("| parameter | takes | default | what it does |\n|---|---|---|---|\n");
        let default = Kinds::<Vec2>::from_name(kind.name).unwrap();
        for parameter in kind.parameters {
            let name = parameter.name;
            let doc = one_line(parameter.doc);
            let value = shown(parameter, default.get(name));
            page.push_str(&format!("| `{name}` | {} | {value} | {doc} |\n", parameter.kind));
        }
        page.push_str("\n| quantity | unit | per | what it is |\n|---|---|---|---|\n");
        for quantity in *quantities {
            let (name, unit) = (quantity.name, quantity.unit);
            let (per, doc) = (quantity.per.name(), one_line(quantity.doc));
            page.push_str(&format!("| `{name}` | {unit} | {per} | {doc} |\n"));
        }
    }
    page
}

fn shown(parameter: &Parameter, value: Option<Value<Vec2>>) -> String {
    match value {
        _ if parameter.required => "required".to_string(),
        Some(Value::Number(x)) => x.to_string(),
        Some(Value::Word(word)) => format!("\"{word}\""),
        Some(Value::Groups(_)) => "all".to_string(),
        Some(Value::Off) | None => "off".to_string(),
        Some(other) => format!("{other:?}"),
    }
}

/// The text of a doc comment in one line.
fn one_line(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The paragraphs and list items of a doc comment, in lines of at most 100 columns.
fn paragraphs(doc: &str) -> String {
    let mut text = String::new();
    for paragraph in doc.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let paragraph = paragraph.lines().map(str::trim).collect::<Vec<_>>().join("\n");
        let paragraph = format!("\n{paragraph}");
        for item in paragraph.split("\n- ") {
            if item.trim().is_empty() {
                continue;
            }
            let indent = if paragraph.starts_with("\n- ") { ["- ", "  "] } else { ["", ""] };
            let mut line = indent[0].to_string();
            for word in item.split_whitespace() {
                let is_full = line.chars().count() + 1 + word.chars().count() > 100;
                if is_full {
                    text.push_str(&format!("{}\n", line.trim_end()));
                    line = indent[1].to_string();
                } else if line != indent[0] && line != indent[1] {
                    line.push(' ');
                }
                line.push_str(word);
            }
            text.push_str(&format!("{line}\n"));
        }
        text.push('\n');
    }
    text.trim_end_matches('\n').to_string() + "\n"
}
