//! The docs agree with the code: every scene in them is read, every key is documented, and
//! docs/behaviors.md equals the text made from the descriptions.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wayfare::Crowd;
use wayfare::crowd::{AgentChange, Command};
use wayfare::glam::Vec2;
use wayfare::solve::Solver;
use wayfare::vector::Up;
use wayfare_scene::{
    AnyScene, Files, Format, Severity, Source, Topic, TopicKey, log_text, read, read_beside,
    read_log, topics,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages about scenes.
const PAGES: [&str; 8] = [
    "scenes.md",
    "world.md",
    "population.md",
    "groups.md",
    "states.md",
    "running.md",
    "measures.md",
    "motion.md",
];

/// The text of a page in docs/.
fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// The code blocks of a page that are in `language`.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_string()).collect()
}

#[test]
fn every_scene_in_the_docs_is_read() {
    let mut count = 0;
    for name in PAGES.into_iter().chain(["../README.md"]) {
        let markdown = page(name);
        for block in blocks(&markdown, "toml") {
            // A block without a group is completed by a group of one agent.
            let text = if block.contains("[[group]]") {
                block
            } else {
                format!(
                    "{block}\n[[group]]\nname = \"guest\"\nspawn = {{ points = [[0, 0]] \
                     }}\nmax_speed = 3\n"
                )
            };
            let source = Source { name: name.to_string(), text };
            // The files that the pages name are those of the tests of geometry.
            let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/geometry/scene.toml");
            read_beside(&source, Format::Toml, &Files::beside(&beside)).unwrap_or_else(
                |problems| {
                    panic!("{}\n{}", source.text, source.render(Severity::Error, &problems, false))
                },
            );
            count += 1;
        }
    }
    assert!(count >= 7, "only {count} scenes were found in the docs");
}

#[test]
fn the_scene_with_y_up_of_the_docs_runs_on_its_ground() {
    let source =
        Source { name: "docs".to_string(), text: blocks(&page("world.md"), "toml").remove(0) };
    let Ok(AnyScene::ThreeD(scene)) = read(&source, Format::Toml) else {
        panic!("the first scene of the page is not a scene of space")
    };
    assert_eq!(scene.setup.up, Up::Y);
    let mut crowd = Crowd::new(scene.setup).unwrap();
    (0..300).for_each(|_| crowd.step());
    let captain = crowd.get(0).unwrap().agent.position;
    for (_, member) in crowd.agents() {
        let offset = member.position - captain;
        assert!(offset.y.abs() < 1e-3, "{offset}");
        // The wedge is behind the captain, to both sides.
        assert!(offset.x <= 0.0 && (offset.z.abs() + offset.x).abs() < 0.1, "{offset}");
    }
}

#[test]
fn every_key_of_the_schema_is_in_the_docs() {
    let text: String = PAGES.into_iter().chain(["behaviors.md", "orders.md"]).map(page).collect();
    let schema: serde_json::Value = serde_json::from_str(&wayfare_scene::schema()).unwrap();
    let mut tables: Vec<_> = schema["$defs"].as_object().unwrap().values().collect();
    tables.push(&schema);
    let mut count = 0;
    for key in tables
        .iter()
        .filter_map(|table| table["properties"].as_object())
        .flat_map(|keys| keys.keys())
    {
        let written = text.contains(&format!("`{key}`"))
            || text.contains(&format!("{key} = "))
            || text.contains(&format!("[[{key}]]"))
            || [format!("[{key}"), format!("## {key}")].iter().any(|header| text.contains(header));
        assert!(written, "`{key}` is in no page of the docs");
        count += 1;
    }
    assert!(count > 150, "the schema has only {count} keys");
}

#[test]
fn the_json_scene_of_the_docs_equals_the_toml_scene() {
    let text = page("scenes.md");
    let scene = |language, format| {
        read(&Source { name: "docs".to_string(), text: blocks(&text, language).remove(0) }, format)
            .unwrap()
    };
    assert_eq!(
        format!("{:?}", scene("json", Format::Json)),
        format!("{:?}", scene("toml", Format::Toml))
    );
}

#[test]
fn the_log_of_the_docs_has_every_command_and_runs_on_the_scene_of_the_docs() {
    let scene = blocks(&page("scenes.md"), "toml").remove(0);
    let world = blocks(&page("world.md"), "toml");
    let paths = world.iter().find(|scene| scene.contains("[path.beat]")).unwrap();
    let source = Source { name: "docs".to_string(), text: format!("{scene}\n{paths}") };
    let Ok(AnyScene::TwoD(scene)) = read(&source, Format::Toml) else {
        panic!("the scene of the docs is not a scene of the plane")
    };
    let text = blocks(&page("running.md"), "jsonl").remove(0);
    let log_source = Source { name: "log".to_string(), text };
    let mut log = read_log::<Vec2>(&log_source, scene.setup.dt).unwrap();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    for _ in 0..200 {
        log.apply(&mut crowd).unwrap();
        crowd.step();
    }
    assert_eq!((log.remaining(), crowd.len(), crowd.get(2).unwrap().agent.max_speed), (0, 2, 4.0));
    for key in Command::<Vec2>::LIST.iter().flat_map(|command| command.keys) {
        assert!(log_text(&log).contains(&format!(", \"{key}\": ")), "no line has `{key}`");
    }
}

#[test]
fn the_pages_of_logs_and_of_orders_have_every_command_with_its_arguments() {
    let tables = [("running.md", Command::<Vec2>::LIST), ("orders.md", AgentChange::<Vec2>::LIST)];
    for (name, list) in tables {
        let page = page(name);
        for notation in list {
            for key in notation.keys {
                let own = format!("`{key}`");
                let row = page.lines().find(|line| {
                    line.starts_with('|') && line.split('|').nth(1).unwrap().contains(&own)
                });
                let row = row.unwrap_or_else(|| panic!("{own} is in no row of {name}"));
                for (argument, _) in notation.other_keys() {
                    assert!(row.contains(&format!("`{argument}`")), "{name}: {row}");
                }
            }
        }
    }
}

/// The rows of the first table of a page that begins with this, cell by cell, without its head.
fn rows(page: &str, head: &str) -> Vec<Vec<String>> {
    let (_, table) = page.split_once(head).unwrap_or_else(|| panic!("no table `{head}`"));
    let cells = |row: &str| -> Vec<String> {
        row.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    table.lines().skip(2).take_while(|line| line.starts_with('|')).map(cells).collect()
}

#[test]
fn no_option_costs_more_than_half_again_what_the_default_does_unless_the_page_says_why() {
    let counts: BTreeMap<String, f64> =
        toml::from_str(include_str!("../benches/costs.toml")).unwrap();
    let page = page("performance.md");
    let listed = rows(&page, "| list | instructions |");
    let named: Vec<&str> = listed.iter().map(|row| row[0].as_str()).collect();
    let counted = || counts.keys().map(String::as_str);
    for name in counted().filter(|name| *name != "moves") {
        assert!(named.contains(&name), "`{name}` is not in the table: run `cargo xtask costs`");
    }
    let is_solver = |name: &str| Solver::<Vec2>::LIST.iter().any(|solver| solver.name == name);
    let options = counted().filter_map(|name| Some((name, name.split_once('-')?.0)));
    let dear = options.filter(|(name, default)| {
        let base = counts[if is_solver(default) { "seek" } else { "moves" }];
        // The issue of speed: at most 1.5 times; lists by a rule 1.3 times, by `context` twice.
        let most = match *name {
            name if name.contains("-context") => 2.0,
            name if name.starts_with("three_behaviors-") => 1.3,
            _ => 1.5,
        };
        counts[*name] - base > most * (counts[*default] - base)
    });
    let dear: Vec<&str> = dear.map(|(name, _)| name).collect();
    let told: Vec<String> =
        rows(&page, "| option | why |").into_iter().map(|row| row[0].clone()).collect();
    assert_eq!(dear, told, "the options that cost much, and those that docs/performance.md tells");
}

#[test]
fn the_page_of_behaviors_equals_the_text_made_from_the_descriptions() {
    let path = root().join("docs/behaviors.md");
    let page = behaviors();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == page,
        "docs/behaviors.md is out of date: run the tests once with UPDATE_DOCS=1 and read the \
         difference"
    );
}

/// The tables whose keys a page lists at its end.
const TABLES: [(&str, &[&str]); 4] = [
    ("groups.md", &["group", "spawn", "grid", "ring"]),
    ("states.md", &["state", "leave", "stat", "sight"]),
    ("population.md", &["line", "exit", "source"]),
    ("world.md", &["bounds", "bodies", "navigation", "pointer", "path", "field"]),
];

#[test]
fn the_pages_list_the_keys_of_their_tables_as_they_are_described() {
    let schema: serde_json::Value = serde_json::from_str(&wayfare_scene::schema()).unwrap();
    for (name, tables) in TABLES {
        let path = root().join("docs").join(name);
        let page = page(name);
        let (written, _) = page.split_once("\n## All keys\n").unwrap_or((page.trim_end(), ""));
        let mut made = format!(
            "{}\n\n## All keys\n\nMade from the descriptions in the code, as the schema of editors \
             is.\n",
            written.trim_end()
        );
        for table in tables {
            made.push_str(&keys(table, &schema["$defs"][table]));
        }
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        assert!(
            std::fs::read_to_string(&path).unwrap() == made,
            "docs/{name} is out of date: run the tests once with UPDATE_DOCS=1 and read the \
             difference"
        );
    }
}

/// The keys of a table of the schema, as a section of Markdown.
fn keys(name: &str, table: &serde_json::Value) -> String {
    let mut section = format!("\n### `{name}`\n\n| key | what it does |\n|---|---|\n");
    for (key, value) in table["properties"].as_object().unwrap() {
        let text = value["description"].as_str().unwrap();
        let required =
            table["required"].as_array().is_some_and(|all| all.contains(&key[..].into()));
        let end = if required { " Required." } else { "" };
        section.push_str(&format!("| `{key}` | {text}{end} |\n"));
    }
    section
}

fn behaviors() -> String {
    let mut page = String::from(
        "# The behaviors\n\nThis page is made from the descriptions of the behaviors in the code, \
         and a test compares the two. The formulas and their sources are in the library's \
         documentation (`cargo doc --open -p wayfare`). In a formula, p is the position of an \
         agent, v its velocity, d the distance to the target, and unit(x) the direction of x with \
         the length 1. Forces are in units of velocity.\n\n## one tick\n\nThe forces of a list \
         are combined into one force, which moves the agent: f = truncate(sum of weight * force, \
         max_force); v = truncate(v * (1 - drag)^dt + f / m * dt, max_speed); p = p + v * dt. \
         truncate(x, n) is x, shortened to the length n where x is longer. All agents read the \
         state at the start of the tick, so their order does not matter.\n\n## auto\n\nA number \
         that is `\"auto\"` is derived from the limits of the host and from dt, so that a scene in \
         other units of length and time has the same motion. Its formula is in the table. There, \
         reaction = max(mass, mass * max_speed / max_force, 8 dt), the time in which a host gains \
         or loses its top speed, and spacing = max(3 radius, max_speed * reaction / 4), the \
         distance between neighbors with room to move. The limits are those of the group in a \
         state, a range by its middle; in the formula of a slowing_radius they are those of each \
         host.\n",
    );
    let is_in_a_list = |topic: &Topic| ["behavior", "solver"].contains(&topic.kind);
    for behavior in topics().into_iter().filter(is_in_a_list) {
        page.push_str(&format!("\n## {}\n\n{}\n\n", behavior.name, behavior.doc));
        page.push_str(if behavior.keys.is_empty() {
            "It has no parameters.\n"
        } else {
            "| parameter | takes | default | what it does |\n|---|---|---|---|\n"
        });
        for TopicKey { name, takes, default, doc } in behavior.keys {
            page.push_str(&format!("| `{name}` | {takes} | {default} | {doc} |\n"));
        }
    }
    page.lines().map(wrapped).collect()
}

/// A line of Markdown, broken into lines of at most 100 columns; tables are not broken.
fn wrapped(line: &str) -> String {
    if line.starts_with('|') {
        return format!("{line}\n");
    }
    let mut lines = vec![String::new()];
    // At the start of a line, these words would begin a list, a heading or a quotation.
    let is_markup = |word: &str| {
        word.starts_with(['*', '+', '-', '#', '>', '='])
            || word.strip_suffix('.').is_some_and(|n| n.parse::<u32>().is_ok())
    };
    let mut words = line.split(' ').peekable();
    while let Some(word) = words.next() {
        let mut unit = word.to_string();
        while let Some(next) = words.next_if(|next| is_markup(next)) {
            unit = format!("{unit} {next}");
        }
        let last = lines.last_mut().unwrap();
        if last.is_empty() {
            *last = unit;
        } else if last.chars().count() + 1 + unit.chars().count() <= 100 {
            *last = format!("{last} {unit}");
        } else {
            lines.push(unit);
        }
    }
    lines.join("\n") + "\n"
}
