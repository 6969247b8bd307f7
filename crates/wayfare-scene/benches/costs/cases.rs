//! The lists and groups whose costs are told, made from the descriptions of the behaviors: a new
//! behavior, a new word or a new switch is a case without a change here.

use wayfare::Registry;
use wayfare::crowd::Setup;
use wayfare::glam::Vec2;
use wayfare::parameter::{Description, Kind, Parameter, Value};
use wayfare::registry::Behavior;
use wayfare::solve::Solver;
use wayfare_scene::{AnyScene, Format, Severity, Source, read};

/// Agents for each square unit of length: ten are within a radius of 8.
const DENSITY: f64 = 0.05;
/// The agents for each round obstacle, and for each member of the other group.
const AGENTS_PER_OTHER: usize = 50;
/// The keys that say how far a behavior looks for neighbors, where they have another default: so
/// that all look at the same ones.
const REACH: [&str; 3] = ["radius", "neighbor_dist", "sight"];

/// What every agent does in a case.
pub(crate) struct Case {
    /// The behavior, and the option where it has one: `flock-field_of_view-270`.
    pub(crate) name: String,
    /// The case to which it adds something: what it costs is the difference.
    pub(crate) base: &'static str,
    /// The keys of the group.
    group: String,
    /// The keys of the world.
    world: &'static str,
}

impl Case {
    fn list(name: String, base: &'static str, list: &[String]) -> Self {
        Self { name, base, group: format!("steer = [{}]", list.join(", ")), world: "" }
    }

    /// A crowd of this case.
    pub(crate) fn setup(&self, agents: usize) -> Setup<Vec2> {
        let text = text(agents, &self.group, self.world);
        let source = Source { name: self.name.clone(), text };
        match read(&source, Format::Toml) {
            Ok(AnyScene::TwoD(scene)) => scene.setup,
            Ok(AnyScene::ThreeD(_)) => panic!("`{}` is not in the plane", self.name),
            Err(problems) => panic!("{}", source.render(Severity::Error, &problems, false)),
        }
    }
}

/// All cases; one to which another adds something is before it.
pub(crate) fn cases() -> Vec<Case> {
    let seek = "{ seek = { target = [0, 0] } }";
    let mut cases = vec![Case::list("moves".to_string(), "", &[])];
    let (behaviors, solvers) = (Behavior::<Vec2>::LIST, Solver::<Vec2>::LIST);
    for behavior in behaviors {
        let is_solver = solvers.iter().any(|solver| solver.name == behavior.name);
        // A solver ends a list that says where to go.
        let (base, before) = if is_solver { ("seek", &[seek][..]) } else { ("moves", &[][..]) };
        let least = least(behavior);
        let mut add = |name: String, keys: &[String]| {
            let entry = format!("{{ {} = {{ {} }} }}", behavior.name, keys.join(", "));
            let list: Vec<String> = before.iter().map(ToString::to_string).chain([entry]).collect();
            cases.push(Case::list(name, base, &list));
        };
        add(behavior.name.to_string(), &least);
        for parameter in behavior.parameters {
            for option in options(behavior, parameter) {
                let (word, keys) = (option.trim_matches('\''), with(&least, parameter, &option));
                let word = if word.starts_with('{') { "" } else { word };
                let name = format!("{}-{}-{word}", behavior.name, parameter.name);
                add(name.trim_end_matches('-').to_string(), &keys);
            }
        }
    }
    let flock = "steer = [{ flock = { radius = 8 } }]";
    let three = "steer = [{ flock = { radius = 8 } }, { avoid_obstacles = {} }, { wander = {} }]";
    let mut group = |name: &str, base, keys: &str, world| {
        cases.push(Case { name: name.to_string(), base, group: keys.to_string(), world });
    };
    group("three_behaviors", "moves", three, "");
    for rule in ["priority", "budget", "dither", "context"] {
        let name = format!("three_behaviors-{rule}");
        group(&name, "moves", &format!("combine = '{rule}'\n{three}"), "");
    }
    let danger = three.replace("{} }, { wander", "{}, danger = true }, { wander");
    let danger = format!("combine = 'context'\n{danger}");
    group("three_behaviors-context-danger", "moves", &danger, "");
    for (name, keys) in [
        ("think_every-4", "think_every = 4"),
        ("min_speed", "min_speed = 1"),
        ("turn_rate", "turn_rate = 90"),
        ("turning_radius", "turning_radius = 1"),
        ("contacts", "contacts = true"),
        ("sight", "sight = { of = 'others', within = 8 }"),
        ("sight-field_of_view-120", "sight = { of = 'others', within = 8, field_of_view = 120 }"),
    ] {
        group(&format!("flock-with-{name}"), "moves", &format!("{keys}\n{flock}"), "");
    }
    group("flock-with-solid_bodies", "moves", flock, "bodies.solid = true");
    cases
}

/// The arguments that a behavior must have, and the common radius.
fn least(behavior: &Description) -> Vec<String> {
    let required = behavior.parameters.iter().filter(|p| p.required);
    let reach = behavior.parameters.iter().filter(|p| REACH.contains(&p.name));
    let mut keys: Vec<String> = required.map(|p| format!("{} = {}", p.name, argument(p))).collect();
    keys.extend(reach.map(|p| format!("{} = 8", p.name)));
    keys
}

fn argument(parameter: &Parameter) -> String {
    match parameter.kind {
        Kind::Target => "[0, 0]".to_string(),
        Kind::Group | Kind::Quarry => "'others'".to_string(),
        Kind::Path => "'lane'".to_string(),
        Kind::Field => "'stream'".to_string(),
        Kind::Line => "[[-5, 0], [5, 0]]".to_string(),
        Kind::Area => "{ box = { min = [-50, -50], max = [50, 50] } }".to_string(),
        Kind::Word(words) => format!("'{}'", words[0]),
        kind => panic!("`{}` is required, and no case knows an argument of {kind}", parameter.name),
    }
}

/// What a parameter can be beside its default, where that is another way and not another size.
fn options(behavior: &Description, parameter: &Parameter) -> Vec<String> {
    let defaults: Option<Behavior<Vec2>> = Registry::default().from_name(behavior.name);
    let default = defaults.and_then(|defaults| defaults.get(parameter.name));
    let words = |words: &[&str]| -> Vec<String> {
        let is_default = |word: &&&str| matches!(default, Some(Value::Word(w)) if w == **word);
        words.iter().filter(|word| !is_default(word)).map(|word| format!("'{word}'")).collect()
    };
    match parameter.kind {
        Kind::Word(all) if parameter.required => words(&all[1..]),
        Kind::Word(all) => words(all),
        Kind::Flag => vec![(!matches!(default, Some(Value::Flag(true)))).to_string()],
        Kind::Target => vec!["'others'".to_string()],
        Kind::Nested(_) => vec!["{}".to_string()],
        Kind::Number(_) if parameter.name == "field_of_view" => vec!["270".to_string()],
        _ => Vec::new(),
    }
}

/// The keys with this one, and with what it needs beside it.
fn with(keys: &[String], parameter: &Parameter, value: &str) -> Vec<String> {
    let start = format!("{} = ", parameter.name);
    let mut keys: Vec<String> =
        keys.iter().filter(|key| !key.starts_with(&start)).cloned().collect();
    keys.push(format!("{start}{value}"));
    if parameter.name == "choose" {
        keys.push("alternatives = [[20, 20]]".to_string());
    }
    keys
}

/// A square with obstacles, a path, a field, and two groups: agents and others, who only move.
fn text(agents: usize, group: &str, world: &str) -> String {
    let half = (agents as f64 / DENSITY).sqrt() / 2.0;
    let others = (agents / AGENTS_PER_OTHER).max(1);
    // The sequence of two numbers that fills a square most evenly.
    let place = |i: usize, by: f64| ((i as f64 * by).fract() * 2.0 - 1.0) * (half - 2.0);
    let obstacles: String = (1..=others)
        .map(|i| {
            let (x, y) = (place(i, 0.754_877_666), place(i, 0.569_840_291));
            format!("[[obstacle]]\ncircle = {{ center = [{x:.3}, {y:.3}], radius = 1 }}\n")
        })
        .collect();
    let lane: Vec<String> = (0..10)
        .map(|i| {
            let x = half * (f64::from(i) / 4.5 - 1.0) * 0.9;
            format!("[{x:.3}, {:.3}]", if i % 2 == 0 { 5.0 } else { -5.0 })
        })
        .collect();
    format!(
        "dt = 0.02
        seed = 1
        {world}
        [bounds]
        min = [{min}, {min}]
        max = [{half}, {half}]
        edge = 'wall'
        [path.lane]
        points = [{lane}]
        radius = 2
        [field.stream]
        vectors = [[1, 0], [0.6, 0.6], [0, 1], [0.6, 0.6]]
        columns = 2
        cell = {half}
        {obstacles}
        [[group]]
        name = 'others'
        count = {others}
        {spawn}
        [[group]]
        name = 'agents'
        count = {agents}
        {spawn}
        {group}\n",
        min = -half,
        lane = lane.join(", "),
        spawn = format_args!(
            "spawn = {{ box = {{ min = [{min}, {min}], max = [{half}, {half}] }} }}
            velocity = 'random'
            max_speed = 3
            max_force = 6
            radius = 0.25",
            min = -half
        ),
    )
}
