//! What the formulas go by, as data: each behavior's own force, and the circles, ways and points
//! that it reckons with. For whoever draws them, explains them or debugs a scene.
//!
//! The formulas themselves say it, where they compute it, to a [`Sketch`]; there is no second copy
//! that could drift apart from them. Where nobody listens, which is always but in
//! [`Crowd::explain`](crate::Crowd::explain), that is nothing at all: they are compiled apart for
//! those who do.

use core::cell::RefCell;

use crate::vector::Vector;

/// Something in the world that a behavior goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure<V> {
    /// A circle, or a ball in space.
    Circle {
        /// Its center (length).
        center: V,
        /// Its radius (length).
        radius: f32,
    },
    /// A straight way.
    Way {
        /// Where it begins (length).
        from: V,
        /// Where it ends (length).
        to: V,
    },
    /// A point (length).
    Point(V),
}

/// A figure, and what it is to which behavior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Annotation<V> {
    /// The behavior's name.
    pub behavior: &'static str,
    /// Which of the agent's places in its lists holds the behavior: their count, and the stream of
    /// its random numbers.
    pub place: u32,
    /// What it is, in the words of the behavior's documentation: `"slowing_radius"`, `"circle"`,
    /// `"probe"`.
    pub what: &'static str,
    /// Where it is.
    pub figure: Figure<V>,
}

/// What one behavior contributes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part<V> {
    /// The behavior's name.
    pub behavior: &'static str,
    /// Which of the agent's places in its lists holds the behavior.
    pub place: u32,
    /// Its force, with its own weight and not that of a list it stands in (length / time).
    pub force: V,
}

/// Why an agent does what it does at the next tick; see [`Crowd::explain`](crate::Crowd::explain).
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation<V> {
    /// What each behavior that was asked contributes, in the order in which they were asked. In a
    /// list without inner lists they add up to [`sum`](Self::sum) by the rule `sum`; by the
    /// other rules some count for less than they are, or not at all.
    pub parts: Vec<Part<V>>,
    /// What they become together (length / time).
    pub sum: V,
    /// The same, no longer than the agent's max_force (length / time): what moves it.
    pub force: V,
    /// What they went by.
    pub annotations: Vec<Annotation<V>>,
}

/// Whoever is told what a formula goes by. `()` does not listen.
pub trait Sketch<V> {
    /// `figure` is what the behavior that is asked now calls `what`; it is made only for those who
    /// listen.
    fn note(&self, what: &'static str, figure: impl FnOnce() -> Figure<V>);
    /// From here on the behavior of this name at this place of the agent's lists is asked.
    fn begin(&self, behavior: &'static str, place: u32);
    /// It contributes this force, weighted (length / time).
    fn part(&self, force: V);
}

impl<V> Sketch<V> for () {
    #[inline(always)]
    fn note(&self, _: &'static str, _: impl FnOnce() -> Figure<V>) {}
    #[inline(always)]
    fn begin(&self, _: &'static str, _: u32) {}
    #[inline(always)]
    fn part(&self, _: V) {}
}

/// What is being written down about one agent.
#[derive(Debug)]
pub(crate) struct Notes<V>(RefCell<Written<V>>);

impl<V> Default for Notes<V> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

#[derive(Debug)]
struct Written<V> {
    /// The behavior that is asked now.
    now: (&'static str, u32),
    parts: Vec<Part<V>>,
    annotations: Vec<Annotation<V>>,
}

impl<V> Default for Written<V> {
    fn default() -> Self {
        Self { now: ("", 0), parts: Vec::new(), annotations: Vec::new() }
    }
}

impl<V: Vector> Notes<V> {
    fn with<R>(&self, write: impl FnOnce(&mut Written<V>) -> R) -> R {
        write(&mut self.0.borrow_mut())
    }

    /// What was written down, of an agent whose forces become `sum` and move it with `force`.
    pub(crate) fn explanation(self, sum: V, force: V) -> Explanation<V> {
        let written = self.0.into_inner();
        Explanation { parts: written.parts, sum, force, annotations: written.annotations }
    }
}

impl<V: Vector> Sketch<V> for Notes<V> {
    fn note(&self, what: &'static str, figure: impl FnOnce() -> Figure<V>) {
        self.with(|written| {
            let (behavior, place) = written.now;
            written.annotations.push(Annotation { behavior, place, what, figure: figure() });
        });
    }
    fn begin(&self, behavior: &'static str, place: u32) {
        self.with(|written| written.now = (behavior, place));
    }
    fn part(&self, force: V) {
        self.with(|written| {
            let (behavior, place) = written.now;
            written.parts.push(Part { behavior, place, force });
        });
    }
}
