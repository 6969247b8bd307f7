//! The blocks of a page that become HTML: demos, tabs with code, figures, exercises.

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

use crate::read;

/// The scenes that demos show, by the names of their pictures: the name of a bundled scene, or a
/// file in the folder of the book.
pub(crate) type Scenes = BTreeMap<String, String>;

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
    /// Whether the text of the scene follows.
    #[serde(default)]
    show: bool,
    #[serde(default)]
    slider: Vec<Slider>,
}

/// A setting of the scene that the reader may change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Slider {
    label: String,
    /// The key paths that it sets.
    keys: Vec<String>,
    min: f32,
    max: f32,
    value: f32,
    #[serde(default = "Slider::step")]
    step: f32,
}

impl Slider {
    fn step() -> f32 {
        0.1
    }
}

fn demo(book: &Path, content: &str, scenes: &mut Scenes) -> Result<String, String> {
    let block: DemoBlock = toml::from_str(content).map_err(|error| error.to_string())?;
    let scene = &block.scene;
    let (name, text, link) = match scene.strip_suffix(".toml") {
        Some(file) => {
            let text = read(&book.join(scene))?;
            let name = file.replace('/', "-");
            let link = format!("{name}.toml&amp;text={}", encoded(&text)?);
            (name, text, link)
        }
        None => {
            let found = bundled(scene);
            let found = found.ok_or_else(|| format!("there is no bundled scene `{scene}`"))?;
            (scene.clone(), found.text.to_string(), scene.clone())
        }
    };
    let text = &text;
    // The calls that the page will make are tried here.
    let mut demo = Demo::new(scene, text)?;
    if demo.forces(block.agent).is_null() {
        return Err(format!("`{scene}` has no agent {}", block.agent));
    }
    let mut sliders = String::new();
    for slider in &block.slider {
        for key in &slider.keys {
            for value in [slider.min, slider.max, slider.value] {
                demo.set(key, value)?;
            }
        }
        let Slider { label, keys, min, max, value, step } = slider;
        let keys = escaped(&keys.join(" "));
        let _ = write!(
            sliders,
            "<label>{}<input type=\"range\" data-keys=\"{keys}\" min=\"{min}\" max=\"{max}\" \
             step=\"{step}\" value=\"{value}\"><output>{value}</output></label>",
            escaped(label)
        );
    }
    // Sliders begin where the scene does.
    let mut plain = Demo::new(scene, text)?;
    demo.restart();
    for _ in 0..COMPARED {
        demo.step();
        plain.step();
    }
    if demo.digest() != plain.digest() {
        return Err(format!("`{scene}` has another `value` than a slider says"));
    }
    scenes.insert(name.clone(), scene.clone());
    let (label, title, forces) = (escaped(&block.text), escaped(demo.title()), block.forces);
    let shown = if block.show { listing(text) } else { String::new() };
    Ok(format!(
        "<figure class=\"demo\" data-scene=\"{name}\" data-agent=\"{}\" data-forces=\"{forces}\" \
         data-text=\"{}\">\n\
         <div class=\"stage\"><img src=\"demos/{name}.png\" alt=\"{label}\" loading=\"lazy\">\
         <canvas role=\"img\" aria-label=\"{label}\" tabindex=\"0\" hidden></canvas></div>\n\
         <div class=\"controls\"><button type=\"button\" data-do=\"play\">Pause</button>\
         <button type=\"button\" data-do=\"restart\">Restart</button>\
         <button type=\"button\" data-do=\"forces\" aria-pressed=\"{forces}\">Forces</button>\
         {sliders}<a href=\"gallery/index.html?scene={link}\">Open “{title}” in the \
         gallery</a></div>\n\
         <figcaption>{label}</figcaption>\n</figure>\n{shown}",
        block.agent,
        // A blank line would end the HTML.
        escaped(text).replace('\n', "&#10;"),
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
    let drawing = read(file)?;
    let caption = escaped(caption.trim());
    // A blank line would end the HTML.
    let lines: Vec<&str> = drawing.lines().filter(|line| !line.trim().is_empty()).collect();
    Ok(format!(
        "<figure class=\"drawing\">\n{}\n<figcaption>{caption}</figcaption>\n</figure>\n",
        lines.join("\n")
    ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
