//! Described parameters: name, doc, kind, unit, range and default, each stated once.
//!
//! Scene decoding, error texts, the schema, the viewer's panel and the docs page all use the
//! description that `parameters!` derives from a behavior's struct. A new parameter is one new
//! field of that struct.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::geometry::obstacle::Shape;
pub use crate::id::{FieldId, GroupId, Named, PathId, StatId, StateId};
pub use crate::quantity::{LARGEST, Range, SMALLEST, Unit};
use crate::random::Distribution;
pub use crate::spatial::neighbors::Groups;
use crate::vector::Vector;

mod auto;
mod field;
mod macros;
mod needs;
mod part;
mod variants;

pub use crate::{parameters, words_of};
pub use auto::{Auto, Formula, Scale};
pub(crate) use field::part_field;
pub use field::{Field, IntoField};
pub(crate) use macros::{describe, described, nested, optional_word, tables, words};
pub use needs::{Needs, Roles};
pub use part::Part;
pub(crate) use variants::describe_variants;
pub use variants::{Variant, Variants};

/// The kind of value that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number in a range.
    Number(Range),
    /// A number in a range, or one of these words.
    NumberOr(Range, &'static [&'static str]),
    /// A number in a range, or `"auto"`: the number of the formula.
    Auto(Range, Formula),
    /// A number in a range, or `false` to switch it off.
    NumberOrOff(Range),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A point, `"pointer"`, `"goal"`, `"order"`, `"last_seen"`, or a group's name.
    Target,
    /// A list of points.
    Points,
    /// A line's name, or its two ends; its [`Value`] has the two points.
    Line,
    /// A group's name.
    Group,
    /// A group's name, for its nearest member, or `"order"`, for the agent of the host's order.
    Quarry,
    /// A list of groups' names.
    Groups,
    /// A path's name.
    Path,
    /// A field's name.
    Field,
    /// A shape with an inside: where random points are drawn.
    Area,
    /// A table of the parameters of another behavior.
    Nested(&'static [Parameter]),
    /// A number in a range, in double precision: times and rates.
    Double(Range),
    /// A number in a range, in double precision, or a distribution from which each agent draws.
    Distribution(Range),
    /// `true` or `false`.
    Flag,
    /// The name of a stat of the group.
    Stat,
    /// The name of a state of the group that is the target of a condition.
    State,
    /// A list of increasing times above zero, each with a number of agents.
    Schedule,
    /// A condition; it has no [`Value`].
    Condition,
    /// A list of conditions; it has no [`Value`].
    Conditions,
    /// A name.
    Text,
    /// A whole number from the first to the second.
    Integer(u64, u64),
    /// A point: as many numbers as the world has dimensions.
    Point,
    /// A direction of any length but zero.
    Direction,
    /// A velocity, or `"random"`.
    Velocity,
    /// A limit of a stat: a number, or an infinity.
    StatLimit,
    /// A number in a range, a distribution, or a list with a number for each member of a group.
    Times(Range),
    /// A target, or one of these words.
    TargetOr(&'static [&'static str]),
    /// Positions for the members of a group: `true` where they start, `false` for their goals.
    Positions(bool),
    /// A list of behaviors and the rule that combines them.
    Behaviors,
    /// Tables of these parameters, in a list or each under its name.
    Tables(&'static [Parameter]),
    /// The name of a state of the group.
    OwnState,
    /// A table from stats of the group to their changes per unit of time.
    Rates,
    /// A list of transitions between the states of a group.
    Transitions,
    /// Exits or points with their shares.
    Destinations,
    /// A shape: one of these keys beside the others of its table.
    Shape(&'static [&'static str]),
    /// How agents enter: one of the keys of [`Arrivals`](crate::crowd::Arrivals) beside the others
    /// of its table.
    Arrivals,
    /// What happens to an agent that leaves.
    ExitAction,
}

impl core::fmt::Display for Kind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Kind::Number(range) => write!(f, "{range}"),
            Kind::NumberOr(range, words) => write!(f, "{range}, or {}", Words(words)),
            Kind::Auto(range, _) => write!(f, "{range}, or \"auto\""),
            Kind::NumberOrOff(range) => write!(f, "{range}, or false"),
            Kind::Word(words) => write!(f, "{}", Words(words)),
            Kind::Target => write!(
                f,
                "a point such as [100, 50], \"pointer\", \"goal\", \"order\", \"last_seen\", or a \
                 group's name"
            ),
            Kind::Points => write!(f, "a list of points such as [[100, 50], [300, 50]]"),
            Kind::Line => {
                write!(f, "a line's name, or its two ends, such as [[100, 50], [300, 50]]")
            }
            Kind::Group => write!(f, "a group's name"),
            Kind::Quarry => write!(f, "a group's name or \"order\""),
            Kind::Groups => write!(f, "a list of groups' names such as [\"walkers\"]"),
            Kind::Path => write!(f, "a path's name or \"order\""),
            Kind::Field => write!(f, "a field's name"),
            Kind::Area => write!(
                f,
                "a circle or a box, such as {{ box = {{ min = [0, 0], max = [10, 10] }} }}"
            ),
            Kind::Double(range) => write!(f, "{range}"),
            Kind::Distribution(range) => {
                write!(f, "{range}, or a range such as {{ uniform = [10, 20] }}")
            }
            Kind::Flag => write!(f, "true or false"),
            Kind::Stat => write!(f, "the name of a stat of the group"),
            Kind::State => write!(f, "the name of a state of the target's group"),
            Kind::Schedule => {
                write!(f, "a list of times and numbers, such as [[10, 5], [60, 20]]")
            }
            Kind::Condition => write!(f, "a condition, such as {{ time_in_state = 50 }}"),
            Kind::Conditions => {
                write!(f, "a list of conditions, such as [{{ time_in_state = 5 }}]")
            }
            Kind::Text => write!(f, "a text in quotes"),
            Kind::Integer(least, most) => {
                write!(f, "a whole number from {least} to {most}")
            }
            Kind::Point => write!(f, "a point such as [100, 50]"),
            Kind::Direction => write!(f, "a direction such as [0, 1]"),
            Kind::Velocity => write!(f, "a velocity such as [1, 0], or \"random\""),
            Kind::StatLimit => write!(f, "a number from -1e9 to 1e9, -inf or inf"),
            Kind::Times(range) => {
                write!(f, "{range}, or a range such as {{ uniform = [10, 20] }}")
            }
            Kind::TargetOr(words) => write!(f, "{}, or {}", Words(words), Kind::Target),
            Kind::Positions(_) => {
                write!(f, "positions such as {{ circle = {{ center = [100, 50], radius = 20 }} }}")
            }
            Kind::Behaviors => write!(f, "a list of behaviors"),
            Kind::Tables(_) => write!(f, "a list of tables"),
            Kind::OwnState => write!(f, "the name of a state of the group"),
            Kind::Rates => write!(f, "a table from stats to numbers, such as {{ stamina = -2 }}"),
            Kind::Transitions => write!(f, "a list of transitions"),
            Kind::Destinations => {
                write!(f, "an exit's name, or a table from such names to shares")
            }
            Kind::Shape(keys) => write!(f, "one of {}", keys.join(", ")),
            Kind::Arrivals => write!(f, "a rate or a schedule"),
            Kind::ExitAction => {
                write!(f, "\"remove\", or a table such as {{ respawn = {{ … }} }}")
            }
            Kind::Nested(parameters) => {
                write!(f, "a table such as {{ ")?;
                for (i, p) in parameters.iter().filter(|p| p.required).enumerate() {
                    write!(f, "{}{} = …", if i > 0 { ", " } else { "" }, p.name)?;
                }
                write!(f, " }}")
            }
        }
    }
}

/// Words in quotes, with "or" before the last.
pub(crate) struct Words<'a>(pub(crate) &'a [&'a str]);

impl core::fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (i, word) in self.0.iter().enumerate() {
            let joint = if i == 0 {
                ""
            } else if i + 1 == self.0.len() {
                " or "
            } else {
                ", "
            };
            write!(f, "{joint}\"{word}\"")?;
        }
        Ok(())
    }
}

/// The description of a behavior or solver: the source of scene decoding, schema, panel and docs
/// page.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The name in scenes, and of the function.
    pub name: &'static str,
    /// Its effect, in Markdown.
    pub doc: &'static str,
    /// The parameters in their order.
    pub parameters: &'static [Parameter],
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What it needs of the crowd.
    pub needs: Needs,
    /// Its roles in a list.
    pub roles: Roles,
}

impl Description {
    /// The description of the type `P`.
    pub const fn of<V: Vector, P: Parameters<V>>() -> Self {
        Self {
            name: P::NAME,
            doc: P::DOC,
            parameters: P::PARAMETERS,
            aliases: P::ALIASES,
            needs: P::NEEDS,
            roles: P::ROLES,
        }
    }
}

/// The description of one parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The scene key and the label; the name of the field, unless that is a plural.
    pub name: &'static str,
    /// The name of the field.
    pub field: &'static str,
    /// Its effect, in Markdown.
    pub doc: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether a scene must give it.
    pub required: bool,
    /// A value as TOML writes it; empty for one by its kind.
    pub example: &'static str,
}

/// The target that a behavior steers towards or away from.
///
/// ```
/// use wayfare::behavior::{Arrive, Flee};
/// use wayfare::{GroupId, glam::vec2, parameter::Target};
/// // A point, and the nearest member of a group, as behaviors take them.
/// assert_eq!(Arrive::new(vec2(3.0, 4.0)).target, Target::Point(vec2(3.0, 4.0)));
/// let wolves: Target<wayfare::glam::Vec2> = Target::Group(GroupId(1));
/// assert_eq!(Flee::new(wolves).target, wolves);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Target<V> {
    /// A fixed point.
    Point(V),
    /// The pointer: the mouse in a viewer, the track in a scene.
    Pointer,
    /// The host's own goal among those of its group.
    Goal,
    /// The position at which the host last perceived the target of its group's perception, while it
    /// remembers it.
    LastSeen,
    /// The host's [order](crate::Order).
    Order,
    /// The member of this group that is nearest to the host, the host itself excluded.
    Group(GroupId),
}

macro_rules! target_keywords {
    ($($word:literal => $variant:ident, $doc:literal;)*) => {
        impl<V> Target<V> {
            /// The targets that a scene names by a keyword: the keyword, and what it stands for.
            pub const KEYWORDS: &'static [(&'static str, &'static str)] = &[$(($word, $doc)),*];

            /// The target that a scene names by this keyword.
            pub fn from_keyword(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Target::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

target_keywords! {
    "pointer" => Pointer, "the pointer";
    "goal" => Goal, "each member's own `goal`";
    "order" => Order, "each agent's own order";
    "last_seen" => LastSeen, "the position where a member last saw the target of its `sight`";
}

/// The value of a parameter, with names resolved to indices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value<V: Vector> {
    /// A number.
    Number(f32),
    /// One of the words the parameter takes.
    Word(&'static str),
    /// `false`: switched off.
    Off,
    /// A target.
    Target(Target<V>),
    /// Points (length).
    Points(Vec<V>),
    /// A group.
    Group(GroupId),
    /// Groups.
    Groups(Groups),
    /// A path.
    Path(PathId),
    /// A field.
    Field(FieldId),
    /// A shape.
    Area(Shape<V>),
    /// Another behavior's parameters, those that are given.
    Nested(Vec<(&'static str, Value<V>)>),
    /// A number in double precision.
    Double(f64),
    /// A distribution of numbers.
    Distribution(Distribution),
    /// `true` or `false`.
    Flag(bool),
    /// A stat.
    Stat(StatId),
    /// A state.
    State(StateId),
    /// (time, number of agents), in the order of time.
    Schedule(Vec<(f64, usize)>),
    /// A name.
    Text(String),
    /// A whole number.
    Integer(u64),
    /// A point, a direction or a velocity.
    Point(V),
    /// A number for each member.
    Numbers(Vec<f32>),
    /// Tables of parameters, those that are given.
    Tables(Vec<Vec<(&'static str, Value<V>)>>),
    /// (stat, change per unit of time).
    Rates(Vec<(Named<StatId>, f32)>),
    /// Points (length) with their shares.
    Destinations(Vec<(V, f32)>),
    /// A value of a type that only the crowd knows: positions, behaviors, transitions, arrivals,
    /// an action at an exit.
    Part(Part),
}

impl<V: Vector> Value<V> {
    /// Whether it stands for the order of the host, or contains such a value.
    pub fn is_order(&self) -> bool {
        match self {
            Value::Target(target) => *target == Target::Order,
            Value::Group(group) => *group == GroupId::ORDER,
            Value::Path(path) => *path == PathId::ORDER,
            Value::Nested(values) => values.iter().any(|(_, value)| value.is_order()),
            _ => false,
        }
    }
}

impl<V: Vector> Value<V> {
    /// Whether it is a group, a path or a field of the setup, or contains one; an order is none.
    pub(crate) fn refers_to_setup(&self) -> bool {
        match self {
            Value::Target(Target::Group(group)) | Value::Group(group) => *group != GroupId::ORDER,
            Value::Groups(Groups::Only(_)) | Value::Field(_) => true,
            Value::Path(path) => *path != PathId::ORDER,
            Value::Nested(values) => values.iter().any(|(_, value)| value.refers_to_setup()),
            _ => false,
        }
    }
}

fn is_in_range<V: Vector>(p: V) -> bool {
    (0..V::DIMENSION).all(|i| p.axis(i).abs() <= LARGEST)
}

impl Kind {
    /// The words that it takes.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Kind::Word(words) | Kind::NumberOr(_, words) | Kind::TargetOr(words) => words,
            Kind::Auto(..) => &["auto"],
            Kind::Velocity => &["random"],
            _ => &[],
        }
    }

    /// Checks that `value` is of this kind and in its range.
    ///
    /// # Errors The text of what is allowed, if it is not.
    pub fn check<V: Vector>(&self, value: &Value<V>) -> Result<(), String> {
        let fine = match (self, value) {
            (
                Kind::Number(range)
                | Kind::NumberOr(range, _)
                | Kind::Auto(range, _)
                | Kind::NumberOrOff(range),
                Value::Number(x),
            ) => range.holds(*x),
            (kind, Value::Word(word)) => kind.words().contains(word),
            (Kind::Target, Value::Target(Target::Point(p))) => is_in_range(*p),
            (Kind::Points, Value::Points(points)) => points.iter().all(|p| is_in_range(*p)),
            (Kind::Line, Value::Points(ends)) => {
                ends.len() == 2 && ends.iter().all(|p| is_in_range(*p))
            }
            (Kind::Double(range) | Kind::Distribution(range), Value::Double(x)) => {
                range.holds(*x as f32)
            }
            (Kind::Distribution(range) | Kind::Times(range), Value::Distribution(x)) => {
                x.check(*range).is_ok()
            }
            (Kind::Times(range), Value::Double(x)) => range.holds(*x as f32),
            (Kind::Times(range), Value::Numbers(list)) => list.iter().all(|x| range.holds(*x)),
            (Kind::TargetOr(_), value @ Value::Target(_)) => Kind::Target.check(value).is_ok(),
            (Kind::Integer(least, most), Value::Integer(x)) => (least..=most).contains(&x),
            (Kind::Point, Value::Point(p)) => is_in_range(*p),
            (Kind::Direction, Value::Point(p)) => is_in_range(*p) && *p != V::ZERO,
            (Kind::Velocity, Value::Point(p)) => is_in_range(*p),
            (Kind::StatLimit, Value::Number(x)) => !x.is_nan(),
            (Kind::NumberOrOff(_), Value::Off)
            | (Kind::Flag, Value::Flag(_))
            | (Kind::Stat, Value::Stat(_) | Value::Text(_))
            | (Kind::State, Value::State(_))
            | (Kind::Schedule, Value::Schedule(_))
            | (Kind::Target, Value::Target(_))
            | (Kind::Group | Kind::Quarry, Value::Group(_))
            | (Kind::Groups, Value::Groups(_))
            | (Kind::Path, Value::Path(_))
            | (Kind::Field, Value::Field(_))
            | (Kind::Area, Value::Area(_))
            | (Kind::Nested(_), Value::Nested(_))
            | (Kind::Text, Value::Text(_))
            | (Kind::Tables(_), Value::Tables(_))
            | (Kind::OwnState, Value::State(_))
            | (Kind::Rates, Value::Rates(_))
            | (Kind::Destinations, Value::Destinations(_))
            | (Kind::Shape(_), Value::Area(_))
            | (
                Kind::Positions(_)
                | Kind::Behaviors
                | Kind::Transitions
                | Kind::Arrivals
                | Kind::ExitAction,
                Value::Part(_),
            ) => true,
            _ => false,
        };
        if fine { Ok(()) } else { Err(self.to_string()) }
    }

    /// The number that takes the place of `value`, for these limits of the members of a group;
    /// `None` where the value stays as it is.
    pub(crate) fn resolved<V: Vector>(self, value: Value<V>, scale: &Scale) -> Option<Value<V>> {
        match (self, value) {
            (Kind::Auto(range, formula), Value::Word(_)) if !formula.is_by_host() => {
                Some(Value::Number(formula.of(scale).clamp(range.min, range.max)))
            }
            (Kind::Nested(parameters), Value::Nested(mut values)) => {
                for (name, value) in &mut values {
                    let parameter = parameters.iter().find(|parameter| parameter.name == *name)?;
                    if let Some(number) = parameter.kind.resolved(value.clone(), scale) {
                        *value = number;
                    }
                }
                Some(Value::Nested(values))
            }
            _ => None,
        }
    }

    /// The value that stands for a parameter without one: `false` where that switches it off.
    pub fn absent<V: Vector>(self) -> Option<Value<V>> {
        if let Kind::NumberOrOff(_) = self { Some(Value::Off) } else { None }
    }
}

/// A struct with described fields: made by `parameters!`.
pub trait Parameters<V: Vector>: Sized + Clone {
    /// The behavior's name in scenes, and of its module and function.
    const NAME: &'static str;
    /// Its doc in Markdown.
    const DOC: &'static str;
    /// The fields in their order.
    const PARAMETERS: &'static [Parameter];
    /// Other names for it.
    const ALIASES: &'static [&'static str];
    /// What it needs of the crowd.
    const NEEDS: Needs;
    /// Its roles in a list.
    const ROLES: Roles;
    /// The defaults, for decoders: the required parameters have placeholders until they are
    /// [`set`](Self::set). In code, the type's own `new` takes what is required. The name is unlike
    /// `default`, which the compiler would propose instead.
    fn undecoded() -> Self;
    /// Sets the parameter `name`; `false` if there is none, or the value is of another kind. Ranges
    /// are not checked here.
    fn set(&mut self, name: &str, value: Value<V>) -> bool;
    /// The value of the parameter `name`; `None` if there is none, or it was left out.
    fn get(&self, name: &str) -> Option<Value<V>>;
    /// All values that are set, with their names.
    fn values(&self) -> Vec<(&'static str, Value<V>)> {
        Self::PARAMETERS.iter().filter_map(|p| Some((p.name, self.get(p.name)?))).collect()
    }
}

/// A described struct of any type: code that reads or sets it is compiled once for all of them.
pub trait Table<V: Vector> {
    /// Its name in scenes.
    fn name(&self) -> &'static str;
    /// The description of its fields.
    fn parameters(&self) -> &'static [Parameter];
    /// The value of a field, as [`Parameters::get`] gives it.
    fn value(&self, name: &str) -> Option<Value<V>>;
    /// Sets a field, as [`Parameters::set`] does.
    fn set_value(&mut self, name: &str, value: Value<V>) -> bool;
}

impl<V: Vector, T: Parameters<V>> Table<V> for T {
    fn name(&self) -> &'static str {
        T::NAME
    }
    fn parameters(&self) -> &'static [Parameter] {
        T::PARAMETERS
    }
    fn value(&self, name: &str) -> Option<Value<V>> {
        self.get(name)
    }
    fn set_value(&mut self, name: &str, value: Value<V>) -> bool {
        self.set(name, value)
    }
}

/// The defaults with these values; `None` if one of them is of another kind.
pub(crate) fn with_values<V: Vector, T: Parameters<V>>(
    values: impl IntoIterator<Item = (&'static str, Value<V>)>,
) -> Option<T> {
    let mut table = T::undecoded();
    values.into_iter().all(|(name, value)| table.set(name, value)).then_some(table)
}
