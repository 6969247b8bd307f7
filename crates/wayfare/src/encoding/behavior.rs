//! Behaviors by their names and described parameters, and tables by their descriptions.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};

use super::{number, scope};
use crate::combine::List;
use crate::crowd::{Arrivals, ExitAction, Spawn, StartAfter, StartVelocity, Transition};
use crate::order::WithoutOrder;
use crate::parameter::{Field, Kind, Parameter, Parameters, StateId, Value, with_values};
use crate::registry::Behavior;
use crate::solve::Solver;
use crate::vector::Vector;

impl<V: Vector + Serialize> Serialize for Behavior<V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if let Behavior::Own(name, _) | Behavior::Solver(Solver::Own(name, _)) = self {
            return Err(S::Error::custom(format!(
                "the behavior `{name}` has no described parameters; allowed: built-in behaviors, \
                 and your own made by `Behavior::described`"
            )));
        }
        let mut map = to.serialize_map(Some(1))?;
        let parameters = self.parameters();
        let value = |p: &Parameter| Some((p.kind, p.name, self.get(p.name)?));
        let table = Table(parameters.iter().filter_map(value).collect());
        map.serialize_entry(self.name(), &table)?;
        map.end()
    }
}

/// Writes the values of a described struct, by its description.
pub(crate) fn write_table<V: Vector + Serialize, T: Parameters<V>, S: Serializer>(
    table: &T,
    to: S,
) -> Result<S::Ok, S::Error> {
    let value = |p: &Parameter| Some((p.kind, p.field, table.get(p.name)?));
    Table(T::PARAMETERS.iter().filter_map(value).collect()).serialize(to)
}

/// Reads a described struct; a key that is not given has its default.
pub(crate) fn read_table<'de, V, T, D>(from: D) -> Result<T, D::Error>
where
    V: Vector + Deserialize<'de>,
    T: Parameters<V>,
    D: Deserializer<'de>,
{
    let values = TableSeed::<V>::new(T::NAME, T::PARAMETERS).deserialize(from)?;
    with_values(values).ok_or_else(|| {
        de::Error::custom(format!("`{}` has a value that does not fit its key", T::NAME))
    })
}

/// The values of the parameters that are set.
struct Table<V: Vector>(Vec<(Kind, &'static str, Value<V>)>);

impl<V: Vector + Serialize> Serialize for Table<V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (kind, name, value) in &self.0 {
            map.serialize_entry(name, &Written(*kind, value))?;
        }
        map.end()
    }
}

/// A number, a word, or `false`: what a parameter takes that can be more than one of them. Formats
/// that are not human-readable do not tell them apart, so that a tag does.
#[derive(serde::Serialize, serde::Deserialize)]
enum Tagged {
    Number(f32),
    Word(String),
    Off,
}

/// A value of a parameter of this kind.
struct Written<'a, V: Vector>(Kind, &'a Value<V>);

impl<V: Vector + Serialize> Serialize for Written<'_, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(kind, value) = self;
        match (kind, value) {
            (Kind::NumberOr(..) | Kind::Auto(..) | Kind::NumberOrOff(_), value)
                if !to.is_human_readable() =>
            {
                return match value {
                    Value::Number(x) => Tagged::Number(*x),
                    Value::Word(word) => Tagged::Word((*word).to_string()),
                    _ => Tagged::Off,
                }
                .serialize(to);
            }
            // Written as the type of the field: formats without types cannot tell them apart.
            (Kind::Velocity, value) => return typed::<V, StartVelocity<V>, _>(value, to),
            (Kind::Times(_), value) => return typed::<V, StartAfter, _>(value, to),
            (Kind::TargetOr(_), value) => return typed::<V, WithoutOrder<V>, _>(value, to),
            (Kind::Positions(_), value) => return typed::<V, Spawn<V>, _>(value, to),
            (Kind::Behaviors, value) => return typed::<V, List<V>, _>(value, to),
            (Kind::Transitions, value) => return typed::<V, Vec<Transition<V>>, _>(value, to),
            (Kind::Arrivals, value) => return typed::<V, Arrivals, _>(value, to),
            (Kind::ExitAction, value) => return typed::<V, ExitAction<V>, _>(value, to),
            _ => {}
        }
        match value {
            Value::Number(x) => number::serialize(x, to),
            Value::Double(x) => number::serialize(x, to),
            Value::Distribution(x) => x.serialize(to),
            Value::Word(word) => to.serialize_str(word),
            Value::Off => to.serialize_bool(false),
            Value::Flag(x) => to.serialize_bool(*x),
            Value::Target(target) => target.serialize(to),
            Value::Points(points) => points.serialize(to),
            Value::Group(group) => group.serialize(to),
            Value::Groups(groups) => groups.serialize(to),
            Value::Path(path) => path.serialize(to),
            Value::Field(field) => field.serialize(to),
            Value::Area(shape) => shape.serialize(to),
            Value::Stat(stat) => stat.serialize(to),
            Value::State(state) => state.0.serialize(to),
            Value::Schedule(list) => list.serialize(to),
            Value::Text(text) => to.serialize_str(text),
            Value::Integer(x) => to.serialize_u64(*x),
            Value::Point(point) => point.serialize(to),
            Value::Numbers(numbers) => numbers.serialize(to),
            Value::Rates(rates) => rates.serialize(to),
            Value::Destinations(list) => list.serialize(to),
            Value::Part(_) => Err(S::Error::custom("it is of another kind")),
            Value::Tables(tables) => {
                let parameters = if let Kind::Tables(all) = *kind { all } else { &[] };
                to.collect_seq(tables.iter().map(|table| with_kinds(parameters, table)))
            }
            Value::Nested(values) => {
                let parameters =
                    if let Kind::Nested(parameters) = *kind { parameters } else { &[] };
                with_kinds(parameters, values).serialize(to)
            }
        }
    }
}

/// Writes a value as a field of the type `T`.
fn typed<V, T, S>(value: &Value<V>, to: S) -> Result<S::Ok, S::Error>
where
    V: Vector,
    T: Field<V> + Serialize,
    S: Serializer,
{
    T::read(value.clone()).ok_or_else(|| S::Error::custom("it has no value"))?.serialize(to)
}

/// The values with their kinds, in the order of the description.
fn with_kinds<V: Vector>(
    parameters: &'static [Parameter],
    values: &[(&'static str, Value<V>)],
) -> Table<V> {
    let value = |p: &Parameter| {
        let (_, value) = values.iter().find(|(name, _)| *name == p.name)?;
        Some((p.kind, p.field, value.clone()))
    };
    Table(parameters.iter().filter_map(value).collect())
}

impl<'de, V: Vector + Deserialize<'de>> Deserialize<'de> for Behavior<V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(BehaviorVisitor(PhantomData))
    }
}

struct BehaviorVisitor<V>(PhantomData<V>);

impl<'de, V: Vector + Deserialize<'de>> Visitor<'de> for BehaviorVisitor<V> {
    type Value = Behavior<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a table with the name of a behavior as its only key")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Behavior<V>, A::Error> {
        let Some(name) = map.next_key::<String>()? else {
            return Err(de::Error::invalid_length(0, &self));
        };
        let mut behavior = scope::from_name::<V>(&name).ok_or_else(|| {
            de::Error::custom(format!(
                "there is no behavior `{name}`; allowed: the built-in behaviors, and those of the \
                 registry that `Registry::reading` is called on"
            ))
        })?;
        let values = TableSeed::new(&name, behavior.parameters());
        for (parameter, value) in map.next_value_seed(values)? {
            if !behavior.set(parameter, value) {
                let text = format!("`{name}.{parameter}` was not accepted by the behavior");
                return Err(de::Error::custom(text));
            }
        }
        match map.next_key::<String>()? {
            Some(_) => Err(de::Error::invalid_length(2, &self)),
            None => Ok(behavior),
        }
    }
}

/// Reads the values of these parameters.
struct TableSeed<'a, V> {
    /// The name of the behavior, and the keys that lead to a nested table.
    key: &'a str,
    parameters: &'static [Parameter],
    /// Whether required parameters may be missing.
    is_part: bool,
    vector: PhantomData<V>,
}

impl<'a, V> TableSeed<'a, V> {
    fn new(key: &'a str, parameters: &'static [Parameter]) -> Self {
        Self { key, parameters, is_part: false, vector: PhantomData }
    }
}

impl<'de, V: Vector + Deserialize<'de>> DeserializeSeed<'de> for TableSeed<'_, V> {
    type Value = Vec<(&'static str, Value<V>)>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de, V: Vector + Deserialize<'de>> Visitor<'de> for TableSeed<'_, V> {
    type Value = Vec<(&'static str, Value<V>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the parameters of `{}`", self.key)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Self { key, parameters, is_part, .. } = self;
        let mut values: Self::Value = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            // Older logs have the limits of a state in a table.
            if name == "limits" && parameters.iter().any(|p| p.field == "leave") {
                let limits = TableSeed { is_part: true, ..TableSeed::new(key, parameters) };
                values.extend(map.next_value_seed(limits)?);
                continue;
            }
            let Some(parameter) = parameters.iter().find(|p| p.field == name) else {
                let names: Vec<_> = parameters.iter().map(|p| format!("`{}`", p.field)).collect();
                return Err(de::Error::custom(format!(
                    "unknown parameter `{key}.{name}`; allowed: {}",
                    names.join(", ")
                )));
            };
            if values.iter().any(|(other, _)| *other == parameter.name) {
                return Err(de::Error::custom(format!("`{key}.{name}` is given twice")));
            }
            let path = format!("{key}.{name}");
            let seed = ValueSeed { key: &path, kind: parameter.kind, vector: PhantomData };
            let value = map
                .next_value_seed(Given(seed))
                .map_err(|error| de::Error::custom(format!("`{path}`: {error}")))?;
            values.extend(value.map(|value| (parameter.name, value)));
        }
        let given = |p: &Parameter| is_part || values.iter().any(|(name, _)| *name == p.name);
        if let Some(missing) = parameters.iter().find(|p| p.required && !given(p)) {
            return Err(de::Error::custom(format!("`{key}.{}` is missing", missing.name)));
        }
        Ok(values)
    }
}

/// Reads a value, or nothing where a text has null.
struct Given<'a, V>(ValueSeed<'a, V>);

impl<'de, V: Vector + Deserialize<'de>> DeserializeSeed<'de> for Given<'_, V> {
    type Value = Option<Value<V>>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        match from.is_human_readable() {
            true => from.deserialize_option(self),
            false => self.0.deserialize(from).map(Some),
        }
    }
}

impl<'de, V: Vector + Deserialize<'de>> Visitor<'de> for Given<'_, V> {
    type Value = Option<Value<V>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.kind)
    }
    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        self.0.deserialize(from).map(Some)
    }
}

/// Reads a value of a parameter of this kind.
struct ValueSeed<'a, V> {
    key: &'a str,
    kind: Kind,
    vector: PhantomData<V>,
}

impl<'de, V: Vector + Deserialize<'de>> DeserializeSeed<'de> for ValueSeed<'_, V> {
    type Value = Value<V>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value<V>, D::Error> {
        Ok(match self.kind {
            Kind::Number(_) => Value::Number(number::deserialize(from)?),
            Kind::Double(_) => Value::Double(number::deserialize(from)?),
            Kind::NumberOr(..) | Kind::Auto(..) | Kind::NumberOrOff(_) => {
                if from.is_human_readable() {
                    return from.deserialize_any(MixedVisitor(self.kind, PhantomData));
                }
                match Tagged::deserialize(from)? {
                    Tagged::Number(x) => Value::Number(x),
                    Tagged::Word(word) => Value::Word(found(self.kind, &word)?),
                    Tagged::Off => Value::Off,
                }
            }
            Kind::Word(_) => Value::Word(found(self.kind, &String::deserialize(from)?)?),
            Kind::Target => Value::Target(Deserialize::deserialize(from)?),
            Kind::Points | Kind::Line => Value::Points(Deserialize::deserialize(from)?),
            Kind::Group | Kind::Quarry => Value::Group(Deserialize::deserialize(from)?),
            Kind::Groups => Value::Groups(Deserialize::deserialize(from)?),
            Kind::Path => Value::Path(Deserialize::deserialize(from)?),
            Kind::Field => Value::Field(Deserialize::deserialize(from)?),
            Kind::Area | Kind::Shape(_) => Value::Area(Deserialize::deserialize(from)?),
            Kind::Arrivals => written::<_, Arrivals, _>(from)?,
            Kind::ExitAction => written::<_, ExitAction<V>, _>(from)?,
            Kind::Flag => Value::Flag(Deserialize::deserialize(from)?),
            Kind::Stat => Value::Stat(Deserialize::deserialize(from)?),
            Kind::State => Value::State(StateId(Deserialize::deserialize(from)?)),
            Kind::Schedule => Value::Schedule(Deserialize::deserialize(from)?),
            Kind::Nested(parameters) => {
                Value::Nested(TableSeed::new(self.key, parameters).deserialize(from)?)
            }
            Kind::Text => Value::Text(Deserialize::deserialize(from)?),
            Kind::Integer(..) => Value::Integer(Deserialize::deserialize(from)?),
            Kind::Point | Kind::Direction => Value::Point(Deserialize::deserialize(from)?),
            Kind::Positions(_) => written::<_, Spawn<V>, _>(from)?,
            Kind::Behaviors => written::<_, List<V>, _>(from)?,
            Kind::Rates => Value::Rates(Deserialize::deserialize(from)?),
            Kind::Transitions => written::<_, Vec<Transition<V>>, _>(from)?,
            Kind::Destinations => Value::Destinations(Deserialize::deserialize(from)?),
            Kind::OwnState => Value::State(StateId(Deserialize::deserialize(from)?)),
            Kind::StatLimit => Value::Number(number::deserialize(from)?),
            Kind::Distribution(_) => Value::Distribution(Deserialize::deserialize(from)?),
            Kind::Tables(parameters) => Value::Tables(from.deserialize_seq(TablesVisitor(
                self.key,
                parameters,
                PhantomData,
            ))?),
            Kind::Velocity => written::<_, StartVelocity<V>, _>(from)?,
            Kind::Times(_) => written::<_, StartAfter, _>(from)?,
            Kind::TargetOr(_) => written::<_, WithoutOrder<V>, _>(from)?,
            Kind::Condition | Kind::Conditions => {
                return Err(de::Error::custom(
                    "a parameter of a behavior is no part of a condition",
                ));
            }
        })
    }
}

/// The value of a field of the type `T`.
fn written<'de, V, T, D>(from: D) -> Result<Value<V>, D::Error>
where
    V: Vector,
    T: Field<V> + Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(from)?.write().ok_or_else(|| de::Error::custom("it has no value"))
}

/// Reads a list of tables of these parameters, under this key.
struct TablesVisitor<'a, V>(&'a str, &'static [Parameter], PhantomData<V>);

impl<'de, V: Vector + Deserialize<'de>> Visitor<'de> for TablesVisitor<'_, V> {
    type Value = Vec<Vec<(&'static str, Value<V>)>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of tables")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut tables = Vec::new();
        while let Some(table) = list.next_element_seed(TableSeed::new(self.0, self.1))? {
            tables.push(table);
        }
        Ok(tables)
    }
}

/// The word that a parameter of this kind takes.
fn found<E: de::Error>(kind: Kind, word: &str) -> Result<&'static str, E> {
    let known = kind.words().iter().copied().find(|known| *known == word);
    known.ok_or_else(|| E::custom(format!("it is \"{word}\"; allowed: {kind}")))
}

/// Reads a number, a word or `false` from a human-readable format.
struct MixedVisitor<V>(Kind, PhantomData<V>);

impl<V: Vector> Visitor<'_> for MixedVisitor<V> {
    type Value = Value<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
    fn visit_f64<E: de::Error>(self, x: f64) -> Result<Value<V>, E> {
        Ok(Value::Number(x as f32))
    }
    fn visit_i64<E: de::Error>(self, x: i64) -> Result<Value<V>, E> {
        Ok(Value::Number(x as f32))
    }
    fn visit_u64<E: de::Error>(self, x: u64) -> Result<Value<V>, E> {
        Ok(Value::Number(x as f32))
    }
    fn visit_bool<E: de::Error>(self, on: bool) -> Result<Value<V>, E> {
        match self.0 {
            Kind::NumberOrOff(_) if !on => Ok(Value::Off),
            _ => Err(E::invalid_type(de::Unexpected::Bool(on), &self)),
        }
    }
    fn visit_str<E: de::Error>(self, word: &str) -> Result<Value<V>, E> {
        match number::from_word(word) {
            Some(x) => Ok(Value::Number(x as f32)),
            None => found(self.0, word).map(Value::Word),
        }
    }
}
