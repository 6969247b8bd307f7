//! Random setups from numbers that proptest draws and shrinks: the number 0 selects the simplest
//! choice.

use wayfare::Vector;
use wayfare::crowd::Setup;
use wayfare::geometry::flow_field::FieldPlan;
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::Vec2;
use wayfare::parameter::{
    Description, FieldId, GroupId, Groups, Kind, PathId, Range, StatId, StateId, Target, Unit,
    Value,
};
use wayfare::registry::Behavior;

/// The numbers of groups, paths and fields in every setup.
pub(crate) const GROUPS: usize = 3;
pub(crate) const PATHS: usize = 2;
pub(crate) const FIELDS: usize = 2;

/// The numbers for the choices; after the last one they are 0.
pub(crate) struct Choices {
    numbers: std::vec::IntoIter<u32>,
    /// Whether numbers are drawn from the full range with its ends, or from a common part of the
    /// range.
    full_range: bool,
}

pub(crate) fn on_lattice(x: f32) -> f32 {
    (x * 4.0).round() / 4.0
}

impl Choices {
    pub(crate) fn new(numbers: Vec<u32>, full_range: bool) -> Self {
        Self { numbers: numbers.into_iter(), full_range }
    }

    fn next(&mut self) -> u32 {
        self.numbers.next().unwrap_or(0)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    /// A uniform number between the two.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.next() as f32 / u32::MAX as f32)
    }

    /// A number in `range`.
    pub(crate) fn number(&mut self, range: Range) -> f32 {
        let human = if matches!(range.unit, Unit::Degrees | Unit::TurnRate) { 360.0 } else { 40.0 };
        let (low, high) = (range.min.max(-human), range.max.min(human));
        let x = match if self.full_range { self.below(8) } else { 0 } {
            0 | 1 => self.between(low, high),
            2 => range.min,
            3 => range.max,
            4 => 0.0,
            5 => {
                if range.infinite {
                    f32::INFINITY
                } else {
                    range.max
                }
            }
            // A power of ten, from below the smallest valid number to above the largest.
            6 => 10.0_f32.powf(self.between(-12.0, 10.0)),
            _ => -(10.0_f32.powf(self.between(-12.0, 10.0))),
        };
        let x = if range.unit == Unit::Count { x.round() } else { x };
        if range.holds(x) { x } else { x.clamp(range.min, range.max) }
    }

    /// A point; in the common part of the range a point of a fine grid, so that points are never so
    /// close that rounding decides a direction.
    pub(crate) fn point<V: Vector>(&mut self) -> V {
        V::from_fn(|_| {
            if self.full_range {
                self.number(Range::any(Unit::Length))
            } else {
                on_lattice(self.between(-50.0, 50.0))
            }
        })
    }

    /// A circle or a box: shapes in which points can be drawn.
    pub(crate) fn area<V: Vector>(&mut self) -> Shape<V> {
        let (center, length) = (self.point(), Range::from_zero(Unit::Length));
        if self.flag() {
            let half = V::from_fn(|_| self.number(length));
            let angle = if self.full_range {
                self.number(Range::new(-1e30, 1e30, Unit::Radians))
            } else {
                self.between(-4.0, 4.0)
            };
            Shape::Box { center, half, angle }
        } else {
            Shape::Circle { center, radius: self.number(length) }
        }
    }

    pub(crate) fn shape<V: Vector>(&mut self) -> Shape<V> {
        match self.below(4) {
            0 | 1 => self.area(),
            2 => Shape::Segment {
                from: self.point(),
                to: self.point(),
                thickness: self.number(Range::from_zero(Unit::Length)),
            },
            _ if self.full_range => {
                let corners = 3 + self.below(3);
                let points: Vec<Vec2> = (0..corners).map(|_| self.point()).collect();
                let wall = Shape::Segment {
                    from: V::from_flat(points[0]),
                    to: V::from_flat(points[1]),
                    thickness: 0.0,
                };
                let polygon = Shape::Polygon { points };
                // A polygon that crosses itself or has no area is invalid.
                let fine = Setup { obstacles: vec![polygon.clone()], ..Setup::default() }
                    .validate()
                    .is_ok();
                if fine { polygon } else { wall }
            }
            // A simple polygon: the corners are ordered around a center.
            _ => {
                let (middle, corners) = (self.point::<Vec2>(), 3 + self.below(4));
                let corner = |i: usize, r: f32| {
                    middle
                        + (Vec2::from_angle(std::f32::consts::TAU * i as f32 / corners as f32) * r)
                            .map(on_lattice)
                };
                Shape::Polygon {
                    points: (0..corners).map(|i| corner(i, self.between(5.0, 20.0))).collect(),
                }
            }
        }
    }

    /// A field of vectors with few cells.
    pub(crate) fn vectors<V: Vector>(&mut self) -> FieldPlan<V> {
        let (columns, rows) = (1 + self.below(4) as u32, 1 + self.below(4) as u32);
        let layers = if V::DIMENSION == 2 { 1 } else { 1 + self.below(2) as u32 };
        let vectors = (0..columns * rows * layers)
            .map(|_| if self.flag() { self.point() } else { self.point::<V>() * 0.02 })
            .collect();
        let cell = if self.full_range {
            self.number(Range::above_zero(Unit::Length))
        } else {
            self.between(15.0, 30.0)
        };
        FieldPlan::Vectors { origin: self.point(), cell, columns, rows: Some(rows), vectors }
    }

    /// A field of distances to a goal with a few hundred cells.
    pub(crate) fn map<V: Vector>(&mut self) -> FieldPlan<V> {
        let (a, b) = (self.point::<V>(), self.point::<V>());
        let (low, high) = (a.min(b), a.max(b));
        let widest = (0..V::DIMENSION).map(|i| (high - low).axis(i)).fold(0.0, f32::max);
        let fine = (0..V::DIMENSION).all(|i| low.axis(i) < high.axis(i));
        let (low, high) = if fine { (low, high) } else { (V::ZERO, V::from_fn(|_| 40.0)) };
        let cell = (if fine { widest } else { 40.0 } / (1 + self.below(9)) as f32).clamp(1e-9, 1e9);
        let goals = (0..1 + self.below(2)).map(|_| self.shape()).collect();
        FieldPlan::Toward {
            goals,
            cell,
            clearance: self.number(Range::from_zero(Unit::Length)),
            area: Some((low, high)),
        }
    }

    pub(crate) fn target<V: Vector>(&mut self) -> Target<V> {
        match self.below(4) {
            0 => Target::Point(self.point()),
            1 => Target::Group(GroupId(self.below(GROUPS))),
            3 => Target::Order,
            _ => Target::Pointer,
        }
    }

    fn value<V: Vector>(&mut self, kind: Kind) -> Value<V> {
        match kind {
            Kind::Number(range) => Value::Number(self.number(range)),
            Kind::NumberOr(range, words) => {
                let i = self.below(words.len() + 1);
                if i == 0 { Value::Number(self.number(range)) } else { Value::Word(words[i - 1]) }
            }
            Kind::Auto(range, _) => {
                // A number of a formula may be so large that sums keep few digits.
                if self.full_range && self.flag() {
                    Value::Word("auto")
                } else {
                    Value::Number(self.number(range))
                }
            }
            Kind::NumberOrOff(range) => {
                if self.flag() {
                    Value::Off
                } else {
                    Value::Number(self.number(range))
                }
            }
            Kind::Word(words) => Value::Word(words[self.below(words.len())]),
            Kind::Target => Value::Target(self.target()),
            Kind::Points => Value::Points((0..self.below(3)).map(|_| self.point()).collect()),
            Kind::Line => Value::Points(vec![self.point(), self.point()]),
            Kind::Group => Value::Group(GroupId(self.below(GROUPS))),
            Kind::Quarry => Value::Group(match self.below(GROUPS + 1) {
                GROUPS => GroupId::ORDER,
                group => GroupId(group),
            }),
            Kind::Groups => Value::Groups(if self.flag() {
                Groups::only([self.below(GROUPS), self.below(GROUPS)])
            } else {
                Groups::All
            }),
            Kind::Path => Value::Path(PathId(self.below(PATHS))),
            Kind::Field => Value::Field(FieldId(self.below(FIELDS))),
            Kind::Area => Value::Area(self.area()),
            Kind::Double(range) => Value::Double(self.number(range).into()),
            Kind::Distribution(range) => Value::Double(self.number(range).into()),
            Kind::Flag => Value::Flag(self.flag()),
            Kind::Stat => Value::Stat(StatId(0)),
            Kind::State => Value::State(StateId(0)),
            Kind::Schedule => Value::Schedule(vec![(1.0, self.below(4))]),
            Kind::Condition
            | Kind::Conditions
            | Kind::Text
            | Kind::Integer(..)
            | Kind::Point
            | Kind::Direction
            | Kind::Velocity
            | Kind::StatLimit
            | Kind::Times(_)
            | Kind::TargetOr(_)
            | Kind::Positions(_)
            | Kind::Behaviors
            | Kind::Tables(_)
            | Kind::OwnState
            | Kind::Rates
            | Kind::Transitions
            | Kind::Destinations
            | Kind::Shape(_)
            | Kind::Arrivals
            | Kind::ExitAction => unreachable!("no behavior takes it"),
            Kind::Nested(parameters) => {
                let given: Vec<_> =
                    parameters.iter().filter(|p| p.required || self.flag()).collect();
                Value::Nested(given.into_iter().map(|p| (p.name, self.value(p.kind))).collect())
            }
        }
    }

    /// The behavior with all required parameters and half of the optional ones.
    pub(crate) fn behavior<V: Vector>(&mut self, description: &Description) -> Behavior<V> {
        let mut behavior: Behavior<V> =
            Behavior::from_name(description.name).expect("the behavior is in the list");
        for parameter in description.parameters {
            let has_formula = matches!(parameter.kind, Kind::Auto(..));
            if parameter.required || (has_formula && !self.full_range) || self.flag() {
                let value = self.value(parameter.kind);
                assert!(
                    behavior.set(parameter.name, value),
                    "{}.{}",
                    description.name,
                    parameter.name
                );
            }
        }
        // The cells are wide enough that their number is small.
        if let (Some(Value::Area(area)), Some(Value::Number(cell))) =
            (behavior.get("area"), behavior.get("cell"))
        {
            let widest = match area {
                Shape::Box { half, .. } => {
                    2.0 * (0..V::DIMENSION).map(|i| half.axis(i)).fold(0.0, f32::max)
                }
                Shape::Circle { radius, .. } => 2.0 * radius,
                _ => 0.0,
            };
            let narrowest = if self.full_range { widest / 20.0 } else { (widest / 20.0).max(4.0) };
            assert!(behavior.set("cell", Value::Number(cell.max(narrowest).clamp(1e-9, 1e9))));
        }
        behavior
    }
}
