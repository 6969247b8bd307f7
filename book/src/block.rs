//! The blocks of a page that become HTML: demos, tabs with code, figures, drawings, questions,
//! exercises.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use data_encoding::BASE64URL_NOPAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Deserialize;
use wayfare_demo::Demo;
use wayfare_scene::bundled;

use crate::{question, read};

/// The demos by their names, which are also those of their pictures.
pub(crate) type Scenes = BTreeMap<String, Shown>;

/// A demo that a page shows.
#[derive(Default)]
pub(crate) struct Shown {
    /// The name of a bundled scene, or a file in the folder of the book.
    pub(crate) scene: String,
    pub(crate) title: String,
    /// Its HTML.
    pub(crate) figure: String,
    /// The files of the pages that have it.
    pub(crate) pages: Vec<String>,
}

/// The HTML of a block with this fence; `None` for a block of code.
pub(crate) fn html(
    book: &Path,
    fence: &str,
    content: &str,
    scenes: &mut Scenes,
) -> Result<Option<String>, String> {
    match fence.split_once(' ').unwrap_or((fence, "")) {
        ("demo", "") => demo(book, content, scenes).map(Some),
        ("tabs", folder) => tabs(&book.join("code").join(folder)).map(Some),
        ("figure", file) => figure(&book.join("figures").join(file), content).map(Some),
        ("drawing", "") => drawing(book, content).map(Some),
        ("question", "") => question::html(content, |scene| scene_of(book, scene)).map(Some),
        ("toml", "") if content.contains("[[group]]") => scene(content).map(Some),
        _ => Ok(None),
    }
}

/// For how many ticks a demo is compared with its scene.
const COMPARED: usize = 60;

/// The keys of a block `demo`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DemoBlock {
    /// A bundled scene, or a file in the folder of the book.
    scene: String,
    /// The caption of the demo.
    text: String,
    /// The id of the agent whose forces are shown when asked for; 0 without it.
    #[serde(default)]
    agent: u32,
    /// Whether its forces are shown at the start.
    #[serde(default)]
    forces: bool,
    /// Whether its desired velocity is shown too, and the force between the tips.
    #[serde(default)]
    desired: bool,
    /// The length of an arrow that stands for its `max_speed`, as a part of the demo's width.
    #[serde(default = "demo_arrow")]
    arrow: f32,
    /// Whether the text of the scene follows.
    #[serde(default)]
    show: bool,
    /// Whether its digest is shown, with a button that makes the same run again.
    #[serde(default)]
    again: bool,
    /// The agents that are copies of others, with a plot of their differences.
    twins: Option<Twins>,
    /// A graph of the states of the agent, a file in the folder `figures`, in which the state that
    /// it is in lights up; `theme/panels.js` has the attributes of its parts.
    graph: Option<String>,
    #[serde(default)]
    slider: Vec<Slider>,
}

/// Pairs of agents: the second has the id of the first and `ids` more, and stands `offset` beside.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Twins {
    ids: u32,
    offset: [f32; 2],
}

fn demo_arrow() -> f32 {
    0.1
}

/// A setting of the scene that the reader may change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Slider {
    label: String,
    /// The key paths that it sets. Of a drawing, "text KEY" is a key that a running crowd cannot
    /// change: it is changed in the text of the scene.
    keys: Vec<String>,
    min: f32,
    max: f32,
    value: f32,
    #[serde(default = "Slider::step")]
    step: f32,
    /// A value of which the text speaks.
    mark: Option<f32>,
    /// The symbol in the formula.
    #[serde(default)]
    symbol: String,
    /// The key in code.
    #[serde(default)]
    key: String,
}

impl Slider {
    fn step() -> f32 {
        0.1
    }
}

fn demo(book: &Path, content: &str, scenes: &mut Scenes) -> Result<String, String> {
    let block: DemoBlock = toml::from_str(content).map_err(|error| error.to_string())?;
    let scene = &block.scene;
    let (name, text) = &scene_of(book, scene)?;
    let link = match scene.ends_with(".toml") {
        true => format!("{name}.toml&amp;text={}", encoded(text)?),
        false => name.clone(),
    };
    // The calls that the page will make are tried here.
    let mut demo = Demo::new(scene, text)?;
    let found = demo.forces(block.agent);
    if found.is_null() {
        return Err(format!("`{scene}` has no agent {}", block.agent));
    }
    let mut arrows = vec!["velocity"];
    arrows.extend(block.desired.then_some("desired velocity"));
    let drawn = found.to_string();
    let rules = ["separation", "alignment", "cohesion"];
    let rules = rules.into_iter().filter(|rule| drawn.contains(&format!("\"{rule}\"")));
    // A single rule is a part of the force as others are.
    if rules.clone().count() > 1 {
        arrows.extend(rules);
    }
    arrows.push("force");
    let legend: String = arrows
        .iter()
        .map(|arrow| {
            let color = arrow.replace("desired velocity", "figure");
            format!("<span style=\"--term:var(--demo-{color})\">{arrow}</span>")
        })
        .collect();
    let sliders = sliders(&block.slider, scene, text)?;
    if sliders.contains("data-keys=\"text ") {
        return Err("a slider of a demo has a key `text …`; allowed: in a drawing".into());
    }
    let panels = panels(book, &block)?;
    let (label, title) = (escaped(&block.text), escaped(demo.title()));
    let DemoBlock { agent, forces, desired, arrow, .. } = block;
    // Room for the picture, so that nothing moves when it comes.
    let room = ratio(&demo).map(|ratio| format!(" style=\"--ratio: {ratio}\"")).unwrap_or_default();
    let shown = if block.show { listing(text) } else { String::new() };
    let figure = format!(
        "<figure class=\"demo\" id=\"demo-{name}\" data-scene=\"{name}\" data-agent=\"{agent}\" \
         data-forces=\"{forces}\" data-desired=\"{desired}\" data-arrow=\"{arrow}\" \
         data-text=\"{}\"{room}>\n\
         <div class=\"stage\"><img src=\"demos/{name}.png\" alt=\"{label}\" loading=\"lazy\">\
         <canvas role=\"img\" aria-label=\"{label}\" tabindex=\"0\" hidden></canvas></div>\n\
         {panels}\
         <div class=\"controls\"><button type=\"button\" data-do=\"play\">Pause</button>\
         <button type=\"button\" data-do=\"restart\">Restart</button>\
         <button type=\"button\" data-do=\"forces\" aria-pressed=\"{forces}\">Forces</button>\
         <span class=\"legend\">{legend}</span>{sliders}\
         <a href=\"gallery/index.html?scene={link}\">Open “{title}” in the gallery</a></div>\n\
         <figcaption>{label}</figcaption>\n</figure>\n",
        in_attribute(text),
    );
    let (entry, title) = (scenes.entry(name.clone()).or_default(), demo.title().to_string());
    *entry = Shown { scene: scene.clone(), title, figure, pages: std::mem::take(&mut entry.pages) };
    Ok(entry.figure.clone() + &shown)
}

/// What a demo shows below its picture.
fn panels(book: &Path, block: &DemoBlock) -> Result<String, String> {
    let mut html = String::new();
    if let Some(Twins { ids, offset: [x, y] }) = block.twins {
        let _ = writeln!(
            html,
            "<div class=\"panel plot\" data-twins=\"{ids} {x} {y}\"><svg role=\"img\" \
             aria-label=\"The largest difference of two twins, from tick to tick\"></svg></div>"
        );
    }
    if block.again {
        html.push_str(
            "<div class=\"panel again\"><p>digest at tick <span data-of=\"tick\"></span> \
             <code data-of=\"digest\"></code></p><p class=\"before\" hidden>in the first run \
             <code data-of=\"before\"></code></p><button type=\"button\" data-do=\"again\">Same \
             again</button> <output></output></div>\n",
        );
    }
    if let Some(file) = &block.graph {
        let graph = lines_of(&book.join("figures").join(file))?;
        let _ = writeln!(html, "<div class=\"panel states\">\n{graph}\n</div>");
    }
    Ok(html)
}

/// The name of a demo and the text of its scene.
fn scene_of(book: &Path, scene: &str) -> Result<(String, String), String> {
    if let Some(file) = scene.strip_suffix(".toml") {
        return Ok((file.replace('/', "-"), read(&book.join(scene))?));
    }
    let found = bundled(scene).ok_or_else(|| format!("there is no bundled scene `{scene}`"))?;
    Ok((scene.to_string(), found.text.to_string()))
}

/// The width of the world by its height; `None` without bounds.
fn ratio(demo: &Demo) -> Option<String> {
    let bounds = &demo.world()["bounds"];
    let side = |from: usize, to: usize| Some(bounds[to].as_f64()? - bounds[from].as_f64()?);
    Some(format!("{} / {}", side(0, 2)?, side(1, 3)?))
}

/// The text of an attribute; a blank line would end the HTML.
fn in_attribute(text: &str) -> String {
    escaped(text).replace('\n', "&#10;")
}

/// The HTML of sliders, which begin where the scene does.
fn sliders(sliders: &[Slider], scene: &str, text: &str) -> Result<String, String> {
    // The calls that the page will make are tried here.
    let (mut demo, mut plain) = (Demo::new(scene, text)?, Demo::new(scene, text)?);
    let mut html = String::new();
    for slider in sliders {
        for key in &slider.keys {
            for value in [slider.min, slider.max, slider.value] {
                match key.strip_prefix("text ") {
                    Some(key) => drop(Demo::new(scene, &rewritten(text, key, value)?)?),
                    None => demo.set(key, value)?,
                }
            }
            if let Some(key) = key.strip_prefix("text ")
                && rewritten(text, key, slider.value)? != text
            {
                return Err(format!("`{scene}` has another `{key}` than its slider"));
            }
        }
        let Slider { label, keys, min, max, value, step, mark, symbol, key } = slider;
        let keys = escaped(&keys.join(" "));
        let _ = write!(html, "<label>");
        if !symbol.is_empty() {
            let _ = write!(html, "<var data-key=\"{key}\">{symbol}</var> ");
        }
        let _ = write!(
            html,
            "{}<input type=\"range\" data-keys=\"{keys}\" min=\"{min}\" max=\"{max}\" \
             step=\"{step}\" value=\"{value}\"",
            escaped(label)
        );
        let _ = match mark {
            Some(mark) => write!(
                html,
                " list=\"marks-{mark}\"><datalist id=\"marks-{mark}\"><option \
                 value=\"{mark}\"></option></datalist>"
            ),
            None => write!(html, ">"),
        };
        let _ = write!(html, "<output>{value}</output></label>");
    }
    demo.restart();
    for _ in 0..COMPARED {
        demo.step();
        plain.step();
    }
    if demo.digest() != plain.digest() {
        return Err(format!("`{scene}` has another `value` than a slider says"));
    }
    Ok(html)
}

/// The text of a scene with another number for a key.
fn rewritten(text: &str, key: &str, value: f32) -> Result<String, String> {
    let key = format!("\n{key} = ");
    let (before, after) =
        text.split_once(&key).ok_or_else(|| format!("the scene has no line `{}`", key.trim()))?;
    let number = after.find('\n').unwrap_or(after.len());
    Ok(format!("{before}{key}{value}{}", &after[number..]))
}

/// The keys of a block `drawing`: a scene that stands still, of which the reader drags the parts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawingBlock {
    /// The text of the scene, with bounds.
    scene: String,
    /// The caption.
    text: String,
    /// The drawing without a script, a file in the folder `figures`; none where the page has
    /// another figure.
    poster: Option<String>,
    /// The ids of the agents that can be moved.
    #[serde(default)]
    moves: Vec<u32>,
    /// The ids of the agents whose velocity can be changed.
    #[serde(default)]
    turns: Vec<u32>,
    /// The length of an arrow that stands for the `max_speed` of agent 0, as a part of the width.
    #[serde(default = "drawing_arrow")]
    arrow: f32,
    /// The direction that agent 0 faces at the start, if the reader can change it.
    faces: Option<[f32; 2]>,
    /// The label of a circle whose rim can be dragged, which sets the first slider.
    #[serde(default)]
    rim: String,
    /// The text of the button that lets a tick pass, in which agents stay where they are.
    #[serde(default)]
    tick: String,
    term: Vec<Term>,
    #[serde(default)]
    slider: Vec<Slider>,
}

fn drawing_arrow() -> f32 {
    0.2
}

/// A part of the formula that is drawn, and its value.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Term {
    /// What is drawn of agent 0; `theme/drawing.js` has the list.
    of: String,
    /// The symbol in the drawing: a letter, `_` and an index.
    symbol: String,
    /// What it is.
    text: String,
    /// Its color, a variable `--demo-…` of the theme.
    color: String,
    /// The symbols of the formula in this color; the symbol itself unless they are given.
    marks: Option<Vec<String>>,
    /// Whether its arrow begins at the tip of the velocity.
    #[serde(default)]
    tip: bool,
    /// Whether it may be missing at the start.
    #[serde(default)]
    sometimes: bool,
}

fn drawing(book: &Path, content: &str) -> Result<String, String> {
    let block: DrawingBlock = toml::from_str(content).map_err(|error| error.to_string())?;
    let sliders = sliders(&block.slider, "the drawing", &block.scene)?;
    let mut demo = Demo::new("the drawing", &block.scene)?;
    if let Some(id) = block.moves.iter().chain(&block.turns).find(|id| demo.forces(**id).is_null())
    {
        return Err(format!("the drawing has no agent {id}"));
    }
    // The slots of a formation are given by a tick.
    let mut found = demo.forces(0).to_string();
    demo.step();
    found += &demo.forces(0).to_string();
    let mut terms = String::new();
    for Term { of, symbol, text, color, marks, tip, sometimes } in &block.term {
        if let Some(label) = of.strip_prefix("figure ")
            && !sometimes
            && !found.contains(&format!("\"label\":\"{label}\""))
        {
            return Err(format!("agent 0 draws no figure `{label}`: {found}"));
        }
        let marks = marks.clone().unwrap_or_else(|| vec![symbol.replace('_', "")]).join(" ");
        let _ = write!(
            terms,
            "<li data-of=\"{of}\" data-symbol=\"{symbol}\" data-color=\"{color}\" \
             data-marks=\"{}\" data-tip=\"{tip}\"><var></var> {}<output></output></li>",
            escaped(&marks),
            escaped(text)
        );
    }
    if let Some([x, y]) = block.faces {
        demo.face(0, [x, y].into())?;
    }
    let ids = |ids: &[u32]| ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let DrawingBlock { scene, text, tick, arrow, rim, faces, .. } = &block;
    let poster = block.poster.as_ref().map(|file| lines_of(&book.join("figures").join(file)));
    let poster = poster.transpose()?.unwrap_or_default();
    let Some(ratio) = ratio(&demo) else {
        return Err("the drawing has no bounds; allowed: a `[bounds]` in its scene".into());
    };
    let faces = faces.map(|[x, y]| format!("{x} {y}")).unwrap_or_default();
    let button = match tick.as_str() {
        "" => String::new(),
        text => format!("<button type=\"button\" data-do=\"tick\">{text}</button>"),
    };
    Ok(format!(
        "<figure class=\"drawing live\" data-text=\"{}\" data-moves=\"{}\" data-turns=\"{}\" \
         data-arrow=\"{arrow}\" data-rim=\"{rim}\" data-faces=\"{faces}\" \
         style=\"--ratio: {ratio}\">\n\
         <div class=\"stage\">\n{poster}\n</div>\n\
         <div class=\"controls\">{sliders}{button}<button type=\"button\" \
         data-do=\"restart\">As it was</button></div>\n<ul class=\"terms\">{terms}</ul>\n\
         <figcaption>{}</figcaption>\n</figure>\n",
        in_attribute(scene),
        ids(&block.moves),
        ids(&block.turns),
        escaped(text.trim()),
    ))
}

/// The text of a scene behind a title.
fn listing(text: &str) -> String {
    let text = text.trim_end();
    format!(
        "\n<details class=\"scene\"><summary>The scene file</summary>\n\n```toml\n{text}\n```\n\n\
         </details>\n"
    )
}

/// The text of a scene as a link has it.
fn encoded(text: &str) -> Result<String, String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let bytes = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    Ok(BASE64URL_NOPAD.encode(&bytes.map_err(|error| error.to_string())?))
}

/// A scene of a page, with a link that opens it in the editor.
fn scene(text: &str) -> Result<String, String> {
    // A scene that readers open has to run.
    Demo::new("the scene", text)?;
    let encoded = encoded(text)?;
    Ok(format!(
        "```toml\n{text}```\n\n[Open this scene in the editor]\
         (gallery/index.html?scene=exercise.toml&text={encoded}&edit).\n"
    ))
}

/// The files of a chapter's code, with the names of their tabs.
const TABS: [(&str, &str, &str); 4] = [
    ("Scene file", "scene.toml", "toml"),
    ("Rust", "main.rs", "rust"),
    ("Python", "main.py", "python"),
    ("Bevy", "bevy.rs", "rust"),
];

fn tabs(folder: &Path) -> Result<String, String> {
    let mut html = "<div class=\"tabs\">\n".to_string();
    for (name, file, language) in TABS {
        let code = read(&folder.join(file))?;
        let _ = write!(
            html,
            "<details name=\"{}\"{}><summary>{name}</summary>\n\n```{language}\n{}\n```\n\n\
             </details>\n",
            folder.file_name().unwrap_or_default().to_string_lossy(),
            if file == "scene.toml" { " open" } else { "" },
            code.trim_end()
        );
    }
    html.push_str("</div>\n");
    Ok(html)
}

/// A drawing in the page, so that it has the colors of the page.
fn figure(file: &Path, caption: &str) -> Result<String, String> {
    let (drawing, caption) = (lines_of(file)?, escaped(caption.trim()));
    Ok(format!(
        "<figure class=\"drawing\">\n<div class=\"stage\">\n{drawing}\n</div>\n\
         <figcaption>{caption}</figcaption>\n</figure>\n",
    ))
}

/// The lines of a file that are not blank: a blank line would end the HTML.
fn lines_of(file: &Path) -> Result<String, String> {
    let text = read(file)?;
    Ok(text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n"))
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_a_scene_is_replaced_in_its_line() {
        let text = "a = 1\nturn_rate = 160.5\nturn = 2";
        let expected = "a = 1\nturn_rate = 20\nturn = 2";
        assert_eq!(rewritten(text, "turn_rate", 20.0), Ok(expected.to_string()));
        assert_eq!(rewritten("x = 1\ny = 2", "y", 3.0), Ok("x = 1\ny = 3".to_string()));
        let none = rewritten(text, "rate", 1.0);
        assert_eq!(none, Err("the scene has no line `rate =`".to_string()));
    }
}
