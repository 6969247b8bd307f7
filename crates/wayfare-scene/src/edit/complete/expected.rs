//! The content that the format expects at a path, by the descriptions.

use wayfare::crowd::KeySegment;
use wayfare::parameter::{Kind, Parameter};

use crate::edit::behaviors::Behaviors;
use crate::format::{self, Table, ValueKind};

/// The expected content at a path.
#[derive(Clone, Copy)]
pub(super) enum Expected {
    /// A table of the format.
    Table(&'static Table),
    /// An entry of a list of behaviors.
    ListEntry,
    /// The parameters of a behavior, or of a table inside a behavior.
    Parameters(&'static [Parameter]),
    /// A value of the format.
    Value(ValueKind),
    /// A value of a parameter.
    Parameter(Kind),
}

impl Expected {
    /// The expected content at `path`, and the documentation of the last key in it.
    pub(super) fn at(path: &[KeySegment], behaviors: Behaviors) -> Option<(Self, &'static str)> {
        path.iter().try_fold((Self::Table(&format::SCENE), ""), |(expected, doc), segment| {
            expected
                .child(segment, behaviors)
                .map(|(child, own_doc)| (child, own_doc.unwrap_or(doc)))
        })
    }

    fn of_key(key: &'static format::Key) -> (Self, Option<&'static str>) {
        let expected = match key.kind {
            ValueKind::Table(table) => Self::Table(table),
            ValueKind::Measure(kind) => Self::Parameters(kind.parameters),
            ValueKind::Condition => Self::Table(&format::CONDITION),
            other => Self::Value(other),
        };
        (expected, Some(key.doc))
    }

    fn of_parameter(parameter: &'static Parameter) -> (Self, Option<&'static str>) {
        let expected = match parameter.kind {
            Kind::Nested(parameters) => Self::Parameters(parameters),
            Kind::Area => Self::Table(&format::AREA),
            Kind::Target => Self::Value(ValueKind::Target),
            Kind::Points => Self::Value(ValueKind::Points(0)),
            Kind::Groups => Self::Value(ValueKind::Groups),
            other => Self::Parameter(other),
        };
        (expected, Some(parameter.doc))
    }

    /// The expected content one segment deeper, and the documentation of that key.
    fn child(
        self,
        segment: &KeySegment,
        behaviors: Behaviors,
    ) -> Option<(Self, Option<&'static str>)> {
        match (self, segment) {
            (Self::Table(table), KeySegment::Name(name)) => table.key(name).map(Self::of_key),
            (Self::ListEntry, KeySegment::Name(name)) => match behaviors.find(name) {
                Some(behavior) => Some((Self::Parameters(behavior.parameters), Some(behavior.doc))),
                None => format::STEER_ENTRY.key(name).map(Self::of_key),
            },
            (Self::Parameters(all), KeySegment::Name(name)) => {
                all.iter().find(|parameter| parameter.name == name).map(Self::of_parameter)
            }
            (Self::Value(ValueKind::ExitAction), KeySegment::Name(name)) => {
                format::EXIT_ACTION.key(name).map(Self::of_key)
            }
            (Self::Value(ValueKind::NamedTables(table)), KeySegment::Name(_))
            | (Self::Value(ValueKind::Tables(table)), KeySegment::At(_)) => {
                Some((Self::Table(table), None))
            }
            (Self::Value(ValueKind::Behaviors), KeySegment::At(_)) => Some((Self::ListEntry, None)),
            (Self::Value(ValueKind::Conditions), KeySegment::At(_)) => {
                Some((Self::Table(&format::CONDITION), None))
            }
            // An item of the list takes the names that the key takes.
            (Self::Value(ValueKind::Templates), KeySegment::At(_)) => Some((self, None)),
            (Self::Value(ValueKind::Groups), KeySegment::At(_)) => {
                Some((Self::Parameter(Kind::Group), None))
            }
            _ => None,
        }
    }
}
