//! The HTML of a report: one file without any request to a network, whose policy allows none.

use std::fmt::Write;

use data_encoding::BASE64;
use serde_json::{Map, Value};

use super::Repeat;
use crate::picture::{both_schemes, escaped};

const STYLE: &str = include_str!("page.css");
const PLAYER: &str = include_str!("player.js");

/// The largest picture that is embedded as shapes (bytes): a larger one is embedded as pixels.
const LARGEST_SVG: usize = 2_000_000;

/// The policy of the page: only what it has itself, so that nothing is fetched.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src \
                      'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A group in legends and plots.
#[derive(Clone, Debug)]
pub(super) struct GroupStyle {
    pub(super) name: String,
    /// Its colors on light and dark pages, as in CSS.
    pub(super) light: String,
    pub(super) dark: String,
    /// `solid`, `hollow`, `edged` or `dotted`.
    pub(super) fill: &'static str,
    /// The text after the name, such as a number of agents.
    pub(super) note: String,
}

/// The contents of a report. Texts are plain; they are escaped here.
pub(super) struct Page {
    pub(super) title: String,
    /// A sentence below the title.
    pub(super) lead: String,
    pub(super) warning: Option<String>,
    pub(super) groups: Vec<GroupStyle>,
    /// The data of the player, without styles and texts.
    pub(super) player: Map<String, Value>,
    /// The grounds of the player, as SVG; at least one.
    pub(super) grounds: Vec<String>,
    /// The note below the player, about its contents and its moments.
    pub(super) player_note: String,
    /// The unit of time after a number, with a space before it.
    pub(super) time_unit: String,
    /// The end of a sentence about the agents that are seen; empty if all are.
    pub(super) sample: String,
    /// The picture: as SVG, and as PNG if that is too large.
    pub(super) picture: PictureFile,
    pub(super) picture_about: String,
    /// Whole sections between the picture and the facts, as HTML.
    pub(super) sections: String,
    /// Names and values.
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) repeat: Repeat,
    /// The text of the scene; empty if it is not known.
    pub(super) scene_text: String,
}

/// A picture as the bytes of a file.
pub(super) struct PictureFile {
    /// The media type.
    kind: &'static str,
    bytes: Vec<u8>,
}

impl PictureFile {
    /// A picture as shapes, or as pixels if the shapes are too large.
    pub(super) fn of(svg: &str, png: impl FnOnce() -> Option<Vec<u8>>) -> Self {
        let pixels = if svg.len() > LARGEST_SVG { png() } else { None };
        match pixels {
            Some(bytes) => Self { kind: "image/png", bytes },
            None => Self { kind: "image/svg+xml", bytes: both_schemes(svg).into_bytes() },
        }
    }
}

impl Page {
    /// The whole file.
    pub(super) fn html(self) -> String {
        let mut html = String::new();
        let title = escaped(&self.title);
        let _ = write!(
            html,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
             http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<meta \
             name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta \
             name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" \
             content=\"Wayfare {}\">\n<title>{title}</title>\n<style>\n{STYLE}{}</style>\n\
             </head>\n<body>\n<header>\n<h1>{title}</h1>\n<p class=\"muted\">{}</p>\n",
            env!("CARGO_PKG_VERSION"),
            self.colors(),
            escaped(&self.lead)
        );
        if let Some(warning) = &self.warning {
            let _ = writeln!(html, "<p class=\"warning\">{}</p>", escaped(warning));
        }
        html.push_str("</header>\n<main>\n");
        self.push_player(&mut html);
        let _ = write!(
            html,
            "<section aria-labelledby=\"picture\">\n<h2 id=\"picture\">Picture</h2>\n<figure \
             class=\"picture\"><img alt=\"{}\" src=\"data:{};base64,{}\"></figure>\n</section>\n",
            escaped(&self.picture_about),
            self.picture.kind,
            BASE64.encode(&self.picture.bytes)
        );
        html.push_str(&self.sections);
        self.push_facts(&mut html);
        html.push_str("</main>\n");
        let _ = write!(
            html,
            "<footer class=\"muted\">Written by Wayfare {}.</footer>\n<script id=\"data\" \
             type=\"application/json\">{}</script>\n<script>\n{PLAYER}</script>\n</body>\n\
             </html>\n",
            env!("CARGO_PKG_VERSION"),
            self.data()
        );
        html
    }

    /// The classes of the groups' colors.
    fn colors(&self) -> String {
        let (mut light, mut dark) = (String::new(), String::new());
        for (i, group) in self.groups.iter().enumerate() {
            let _ = write!(light, ".g{i}{{color:{}}}", group.light);
            let _ = write!(dark, ".g{i}{{color:{}}}", group.dark);
        }
        format!("{light}\n@media (prefers-color-scheme: dark) {{{dark}}}\n")
    }

    fn push_player(&self, html: &mut String) {
        let size = self.player.get("size").and_then(Value::as_array);
        let side = |i: usize| size.and_then(|size| size.get(i)?.as_f64()).unwrap_or(1.0);
        let ratio = (side(0) / side(1) * 1e4).round() / 1e4;
        let note = escaped(&self.player_note);
        // The first ground is there without scripts, too; the script has the others.
        let first = self.grounds.first().map_or_else(String::new, |ground| {
            let bytes = both_schemes(ground).into_bytes();
            format!("data:image/svg+xml;base64,{}", BASE64.encode(&bytes))
        });
        let _ = write!(
            html,
            "<section aria-labelledby=\"motion\">\n<h2 id=\"motion\">Animation</h2>\n<div \
             id=\"stage\" style=\"--ratio:{ratio}\"><img id=\"ground\" alt=\"\" src=\"{first}\">\
             <canvas \
             id=\"canvas\" tabindex=\"0\" role=\"img\" aria-label=\"The agents, seen from above\" \
             aria-describedby=\"seen about\"></canvas></div>\n<div id=\"controls\"><button \
             id=\"play\" type=\"button\">Play</button><input id=\"scrub\" type=\"range\" min=\"0\" \
             max=\"0\" value=\"0\" step=\"1\" aria-label=\"Moment\"><output id=\"when\" \
             for=\"scrub\"></output><label>Speed <select id=\"speed\"></select></label></div>\n\
             <ul class=\"legend\">\n"
        );
        for (i, group) in self.groups.iter().enumerate() {
            let hollow = if group.fill == "hollow" { " hollow" } else { "" };
            let _ = writeln!(
                html,
                "<li><span class=\"swatch g{i}{hollow}\" aria-hidden=\"true\"></span>{}{}</li>",
                escaped(&group.name),
                escaped(&group.note)
            );
        }
        let _ = write!(
            html,
            "</ul>\n<p id=\"seen\" aria-live=\"polite\" class=\"muted\"></p>\n<p id=\"about\" \
             class=\"muted\">{note} Space plays and pauses; the arrow keys go from moment to \
             moment.</p>\n<noscript><p class=\"warning\">The animation needs scripts; all else on \
             this page does not.</p></noscript>\n</section>\n"
        );
    }

    fn push_facts(&self, html: &mut String) {
        html.push_str("<section aria-labelledby=\"run\">\n<h2 id=\"run\">Origin</h2>\n");
        html.push_str("<table>\n<tbody>\n");
        for (name, value) in &self.facts {
            let _ = writeln!(
                html,
                "<tr><th scope=\"row\">{}</th><td>{}</td></tr>",
                escaped(name),
                escaped(value)
            );
        }
        html.push_str("</tbody>\n</table>\n");
        if !self.repeat.commands.is_empty() {
            let _ = write!(
                html,
                "<h3>How to repeat it</h3>\n<pre><code>{}</code></pre>\n<p \
                 class=\"muted\">{}</p>\n",
                text(&self.repeat.commands.join("\n")),
                escaped(&self.repeat.note)
            );
        }
        html.push_str("</section>\n");
        if !self.scene_text.is_empty() {
            let _ = write!(
                html,
                "<details>\n<summary>The scene</summary>\n<pre><code>{}</code></pre>\n</details>\n",
                text(&self.scene_text)
            );
        }
    }

    /// The data of the player as JSON that ends no script.
    fn data(&self) -> String {
        let mut data = self.player.clone();
        let style = |group: &GroupStyle| {
            let GroupStyle { name, light, dark, fill, .. } = group;
            serde_json::json!({ "name": name, "light": light, "dark": dark, "fill": fill })
        };
        data.insert("styles".to_string(), self.groups.iter().map(style).collect());
        let grounds = self.grounds.iter().skip(1).map(|ground| Value::from(both_schemes(ground)));
        data.insert("grounds".to_string(), grounds.collect());
        data.insert("unit".to_string(), Value::from(self.time_unit.clone()));
        data.insert("sample".to_string(), Value::from(self.sample.clone()));
        Value::Object(data).to_string().replace('<', "\\u003c")
    }
}

/// A text of several lines, escaped, with its line ends and tabs.
fn text(text: &str) -> String {
    let lines = text.lines().map(|line| escaped(&line.replace('\t', "    ")));
    lines.collect::<Vec<_>>().join("\n")
}

/// A table with these heads; columns of numbers are right-aligned.
pub(super) fn table(heads: &[&str], numbers: &[usize], rows: &[Vec<String>]) -> String {
    let class = |column: usize| {
        if numbers.contains(&column) { " class=\"number\"" } else { "" }
    };
    let mut html = "<div class=\"scroll\"><table>\n<thead><tr>".to_string();
    for (column, head) in heads.iter().enumerate() {
        let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class(column), escaped(head));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(html, "<td{}>{}</td>", class(column), escaped(cell));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n");
    html
}
