//! Debug annotations: the force of each behavior, and the circles, segments and points that its
//! formula uses, as data for drawing, explaining and debugging a scene.
//!
//! A formula reports its figures to a [`DebugDraw`] at the line that computes them, so no second
//! copy of the formula can diverge. The steps of a crowd pass [`DebugDraw::OFF`]: then the closures
//! that build figures are not called, and where the formula is inlined the compiler removes the
//! test.

use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

use crate::vector::Vector;

/// A geometric figure in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure<V> {
    /// A circle in 2D, a sphere in 3D.
    Circle {
        /// The center (length).
        center: V,
        /// The radius (length).
        radius: f32,
    },
    /// A straight line between two points.
    Segment {
        /// The first point (length).
        from: V,
        /// The second point (length).
        to: V,
    },
    /// A point (length).
    Point(V),
}

/// A figure with its meaning, and the behavior that reported it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Annotation<V> {
    /// The behavior's name.
    pub behavior: &'static str,
    /// The slot of the agent's lists that holds the behavior: its index over all nested lists,
    /// which is also its stream of random numbers. `u32::MAX` for a figure that belongs to no
    /// slot.
    pub slot: u32,
    /// The meaning of the figure, in the terms of the behavior's documentation:
    /// `"slowing_radius"`, `"circle"`, `"probe"`.
    pub label: &'static str,
    /// The figure.
    pub figure: Figure<V>,
}

/// The force of one behavior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contribution<V> {
    /// The behavior's name.
    pub behavior: &'static str,
    /// The slot of the agent's lists that holds the behavior; see [`Annotation::slot`].
    pub slot: u32,
    /// The force, multiplied by the slot's weight, not by that of a surrounding list (length /
    /// time).
    pub force: V,
}

/// The forces on an agent at the next tick, with the contribution of each behavior; see
/// [`Crowd::explain`](crate::Crowd::explain).
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation<V> {
    /// One entry for each behavior that was evaluated, in order of evaluation. In a list without
    /// nested lists combined by `sum` the contributions add up to [`sum`](Self::sum); the other
    /// rules truncate or ignore some of them.
    pub contributions: Vec<Contribution<V>>,
    /// The combined force of the list (length / time); the change of the velocity where a solver
    /// such as `pedestrian` decides it.
    pub sum: V,
    /// The combined force truncated to the agent's max_force, which moves the agent (length /
    /// time); the change of the velocity where a solver decides it.
    pub force: V,
    /// The figures, in the order in which they were reported.
    pub annotations: Vec<Annotation<V>>,
}

/// Passes the figures of a formula to a [`Recorder`], or discards them.
///
/// ```
/// use wayfare::annotation::{DebugDraw, Figure, Recorder};
/// use wayfare::glam::{Vec2, vec2};
/// fn formula(debug: DebugDraw<'_, Vec2>) -> f32 {
///     debug.circle("radius", || (vec2(1.0, 2.0), 3.0));
///     9.0
/// }
/// assert_eq!(formula(DebugDraw::OFF), 9.0);
/// let recorder = Recorder::default();
/// formula(recorder.draw());
/// let circle = Figure::Circle { center: vec2(1.0, 2.0), radius: 3.0 };
/// assert_eq!(recorder.annotations()[0].figure, circle);
/// ```
pub struct DebugDraw<'a, V>(Option<&'a Recorder<V>>);

impl<V> Clone for DebugDraw<'_, V> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for DebugDraw<'_, V> {}

impl<V> fmt::Debug for DebugDraw<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "DebugDraw::on" } else { "DebugDraw::OFF" })
    }
}

impl<V: Vector> DebugDraw<'_, V> {
    /// Discards all figures.
    pub const OFF: Self = Self(None);

    /// Reports a circle, or a sphere in 3D, by its center and radius (lengths).
    #[inline(always)]
    pub fn circle(self, label: &'static str, circle: impl FnOnce() -> (V, f32)) {
        if let Some(recorder) = self.0 {
            let (center, radius) = circle();
            recorder.add(label, Figure::Circle { center, radius });
        }
    }

    /// Reports a segment by its two end points (lengths).
    #[inline(always)]
    pub fn segment(self, label: &'static str, segment: impl FnOnce() -> (V, V)) {
        if let Some(recorder) = self.0 {
            let (from, to) = segment();
            recorder.add(label, Figure::Segment { from, to });
        }
    }

    /// Reports a point (length).
    #[inline(always)]
    pub fn point(self, label: &'static str, point: impl FnOnce() -> V) {
        if let Some(recorder) = self.0 {
            recorder.add(label, Figure::Point(point()));
        }
    }

    /// Attributes the following figures and forces to the behavior `name` in `slot`.
    #[inline(always)]
    pub(crate) fn set_source(self, name: impl FnOnce() -> &'static str, slot: u32) {
        if let Some(recorder) = self.0 {
            recorder.0.borrow_mut().source = (name(), slot);
        }
    }

    /// Reports the weighted force of the current behavior (length / time).
    #[inline(always)]
    pub(crate) fn contribution(self, force: V) {
        if let Some(recorder) = self.0 {
            recorder.add_contribution(force);
        }
    }
}

/// Records the figures and forces of one agent.
#[derive(Debug)]
pub struct Recorder<V>(RefCell<Recording<V>>);

#[derive(Debug)]
struct Recording<V> {
    /// The behavior that is evaluated, and its slot.
    source: (&'static str, u32),
    contributions: Vec<Contribution<V>>,
    annotations: Vec<Annotation<V>>,
}

impl<V> Default for Recorder<V> {
    fn default() -> Self {
        Self(RefCell::new(Recording {
            source: ("", u32::MAX),
            contributions: Vec::new(),
            annotations: Vec::new(),
        }))
    }
}

impl<V: Vector> Recorder<V> {
    /// A [`DebugDraw`] that records to this recorder.
    pub fn draw(&self) -> DebugDraw<'_, V> {
        DebugDraw(Some(self))
    }

    /// The figures recorded so far, in order.
    pub fn annotations(&self) -> Vec<Annotation<V>> {
        self.0.borrow().annotations.clone()
    }

    /// The explanation of an agent whose forces combine to `sum` and are truncated to `force`
    /// (length / time).
    pub(crate) fn explanation(self, sum: V, force: V) -> Explanation<V> {
        let Recording { source: _, contributions, annotations } = self.0.into_inner();
        Explanation { contributions, sum, force, annotations }
    }

    #[cold]
    #[inline(never)]
    fn add(&self, label: &'static str, figure: Figure<V>) {
        let mut recording = self.0.borrow_mut();
        let (behavior, slot) = recording.source;
        recording.annotations.push(Annotation { behavior, slot, label, figure });
    }

    #[cold]
    #[inline(never)]
    fn add_contribution(&self, force: V) {
        let mut recording = self.0.borrow_mut();
        let (behavior, slot) = recording.source;
        recording.contributions.push(Contribution { behavior, slot, force });
    }
}
