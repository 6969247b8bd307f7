//! Random scenes of the whole format, drawn from its schema, keep every promise: threads, snapshots
//! and JSON change nothing, commands are refused or leave what a snapshot can hold, what is told of
//! overlaps is what the positions say, and bodies stay out of walls.
//!
//! `cargo xtask chaos --seconds N` draws as many as it can in this time.

mod commands;
mod document;
mod draw;
mod promises;
mod shrink;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use wayfare_scene::{Format, schema};

use document::written;
use draw::Draw;
use promises::{Broken, kept};

/// The first promise that the scene breaks; a panic is one.
fn broken_by(document: &Json, number: u32) -> Option<Broken> {
    let result = catch_unwind(AssertUnwindSafe(|| kept(document, number)));
    let text = |panic: Box<dyn std::any::Any + Send>| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => other.downcast::<&str>().map_or_else(|_| String::new(), |t| t.to_string()),
    };
    match result {
        Ok(kept) => kept.err(),
        Err(panic) => Some(Broken { promise: "no panic", how: text(panic) }),
    }
}

/// The scenes that were drawn, and what is broken, by promise.
#[derive(Default)]
struct Found {
    draws: usize,
    scenes: usize,
    broken: BTreeMap<&'static str, Vec<(u32, Broken, Json)>>,
}

fn search(schema: &Json, numbers: impl Iterator<Item = u32>) -> Found {
    let mut found = Found::default();
    for number in numbers {
        found.draws += 1;
        let Some((document, _)) = Draw::new(schema, number).scene() else { continue };
        found.scenes += 1;
        if let Some(broken) = broken_by(&document, number) {
            found.broken.entry(broken.promise).or_default().push((number, broken, document));
        }
    }
    found
}

impl Found {
    /// Prints a minimal scene for each promise that is broken.
    fn tell(&self) {
        for (promise, cases) in &self.broken {
            let numbers: Vec<u32> = cases.iter().map(|(number, ..)| *number).collect();
            println!("\n# {promise}: {} of {} scenes: {numbers:?}", cases.len(), self.scenes);
            let Some((number, _, document)) = cases.first() else { continue };
            let again = |document: &Json| {
                broken_by(document, *number).is_some_and(|broken| broken.promise == *promise)
            };
            let small = shrink::shrunk(document.clone(), again);
            let how = broken_by(&small, *number).map(|broken| broken.how);
            println!("# scene {number}: {}", how.unwrap_or_default());
            println!("{}", written(&small, Format::Toml).text);
        }
    }
}

fn schema_of_scenes() -> Json {
    serde_json::from_str(&schema()).expect("the schema is JSON")
}

/// Three hundred scenes, or those of the number of seconds in `WAYFARE_CHAOS_SECONDS`, from the
/// number in `WAYFARE_CHAOS_FIRST` on.
#[test]
fn random_scenes_keep_every_promise() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    let first = number("WAYFARE_CHAOS_FIRST").unwrap_or(0);
    let began = Instant::now();
    let found = match number("WAYFARE_CHAOS_SECONDS") {
        None => search(&schema_of_scenes(), first..first + 400),
        Some(seconds) => {
            let time = Duration::from_secs(seconds.into());
            search(&schema_of_scenes(), (first..).take_while(|_| began.elapsed() < time))
        }
    };
    found.tell();
    let (scenes, draws) = (found.scenes, found.draws);
    println!("{scenes} scenes in {draws} draws, {:.0} s", began.elapsed().as_secs_f64());
    // A generator that finds few scenes has fallen behind the format.
    assert!(scenes * 4 >= draws * 3, "only {scenes} of {draws} draws are scenes");
    assert!(found.broken.is_empty(), "{:?} are broken", found.broken.keys());
}
