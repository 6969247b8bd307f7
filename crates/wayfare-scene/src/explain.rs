//! What a scene can contain, for texts that explain it: behaviors, solvers, measures and tables,
//! each with its keys. Made from the descriptions that the decoder reads.

use wayfare::Registry;
use wayfare::glam::Vec2;
use wayfare::parameter::{Description, Kind, Needs, Parameter, Roles, Value};
use wayfare::registry::Behavior;
use wayfare::solve::Solver;
use wayfare_measure::Kinds;

use crate::format;
use crate::schema::{flat, takes};

/// A behavior, a solver, a measure or a table.
#[derive(Clone, Debug)]
pub struct Topic {
    /// `behavior`, `solver`, `measure` or `table`.
    pub kind: &'static str,
    /// Its name in scenes.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// Its effect, in one line.
    pub doc: String,
    /// Its keys in their order.
    pub keys: Vec<TopicKey>,
    /// What it needs of the crowd.
    pub needs: Needs,
    /// Its roles in a list.
    pub roles: Roles,
}

/// A key of a [`Topic`].
#[derive(Clone, Debug)]
pub struct TopicKey {
    /// Its name in scenes.
    pub name: &'static str,
    /// What it takes: kind, unit and range; empty where the text of the key says it.
    pub takes: String,
    /// `required`, `none`, or the default as TOML writes it.
    pub default: String,
    /// Its effect, in one line.
    pub doc: String,
}

/// All that can be explained: the behaviors, the solvers, the measures and the tables.
///
/// ```
/// let topics = wayfare_scene::topics();
/// let seek = topics.iter().find(|topic| topic.name == "seek").unwrap();
/// let target = &seek.keys[0];
/// assert_eq!((seek.kind, target.name, &*target.default), ("behavior", "target", "required"));
/// ```
pub fn topics() -> Vec<Topic> {
    let is_solver = |name| Solver::<Vec2>::LIST.iter().any(|solver| solver.name == name);
    let behaviors = Behavior::<Vec2>::LIST.iter().map(|behavior| {
        let defaults: Option<Behavior<Vec2>> = Registry::default().from_name(behavior.name);
        let kind = if is_solver(behavior.name) { "solver" } else { "behavior" };
        described(kind, behavior, &|name| defaults.as_ref()?.get(name))
    });
    let measures = format::measure_kinds().iter().map(|measure| {
        let defaults = Kinds::<Vec2>::from_name(measure.name);
        described("measure", measure, &|name| defaults.as_ref()?.get(name))
    });
    let tables = format::TABLES.iter().map(|table| {
        let keys = table.keys.iter().map(|key| TopicKey {
            name: key.name,
            takes: takes(key),
            default: match &*key.default() {
                _ if key.required => "required".to_string(),
                "" => "none".to_string(),
                default => default.to_string(),
            },
            doc: flat(key.doc),
        });
        Topic {
            kind: "table",
            name: table.name,
            aliases: &[],
            doc: flat(table.doc),
            keys: keys.collect(),
            needs: Needs::NONE,
            roles: Roles::NONE,
        }
    });
    behaviors.chain(measures).chain(tables).collect()
}

fn described(
    kind: &'static str,
    of: &Description,
    default: &dyn Fn(&str) -> Option<Value<Vec2>>,
) -> Topic {
    let keys = of.parameters.iter().map(|parameter| TopicKey {
        name: parameter.name,
        takes: taken(parameter),
        default: match default(parameter.name) {
            _ if parameter.required => "required".to_string(),
            Some(value) => shown(&value),
            None => "none".to_string(),
        },
        doc: flat(parameter.doc),
    });
    Topic {
        kind,
        name: of.name,
        aliases: of.aliases,
        doc: flat(of.doc),
        keys: keys.collect(),
        needs: of.needs,
        roles: of.roles,
    }
}

fn taken(parameter: &Parameter) -> String {
    match parameter.kind {
        // A table inside a behavior has the name of the behavior whose parameters it takes.
        Kind::Nested(_) => format!("a table of the parameters of `{}`", parameter.name),
        kind => kind.to_string(),
    }
}

fn shown(value: &Value<Vec2>) -> String {
    match value {
        Value::Number(x) if x.is_infinite() => "inf".to_string(),
        Value::Number(x) => x.to_string(),
        Value::Double(x) => x.to_string(),
        Value::Integer(x) => x.to_string(),
        Value::Word(word) => format!("\"{word}\""),
        Value::Groups(_) => "all".to_string(),
        Value::Points(points) if points.is_empty() => "none".to_string(),
        Value::Flag(x) => x.to_string(),
        other => format!("{other:?}"),
    }
}
