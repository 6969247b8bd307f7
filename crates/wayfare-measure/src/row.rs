//! Rows of the table that measures write: one value each.

/// A quantity that a measure gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Its name in the table.
    pub name: &'static str,
    /// Its unit in terms of the scene's units of length and time; empty for a plain number.
    pub unit: &'static str,
    /// The subject of each row.
    pub per: Per,
    /// The definition, in Markdown.
    pub doc: &'static str,
}

/// The subject of each row of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// A tick that is measured.
    Tick,
    /// A tick in which the value changes, the first tick and the last.
    Change,
    /// A span of time.
    Interval,
    /// An agent.
    Agent,
    /// The whole run: written at its end.
    Run,
}

impl Per {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Per::Tick => "tick",
            Per::Change => "change",
            Per::Interval => "interval",
            Per::Agent => "agent",
            Per::Run => "run",
        }
    }
}

/// Declares quantities: `NAME = "name", "unit", Per, "doc";`.
macro_rules! quantities {
    ($($quantity:ident = $name:literal, $unit:literal, $per:ident, $doc:literal;)*) => {
        $(static $quantity: $crate::row::Quantity = $crate::row::Quantity {
            name: $name,
            unit: $unit,
            per: $crate::row::Per::$per,
            doc: $doc,
        };)*
        static QUANTITIES: &[&$crate::row::Quantity] = &[$(&$quantity),*];
    };
}

pub(crate) use quantities;

/// One value of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The index of the measure.
    pub measure: usize,
    /// The tick that the value belongs to.
    pub tick: u64,
    /// The simulated time of that tick (time).
    pub time: f64,
    /// The quantity.
    pub quantity: &'static Quantity,
    /// The value, in the quantity's unit.
    pub value: f64,
    /// The index of the group that the value belongs to, if it belongs to one.
    pub group: Option<usize>,
    /// The id of the agent that the value belongs to, if it belongs to one.
    pub agent: Option<u32>,
}

/// Takes the rows of one measure.
pub(crate) struct Sink<'a> {
    pub(crate) measure: usize,
    pub(crate) rows: &'a mut Vec<Row>,
}

/// The tick of a row, and its time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moment {
    pub(crate) tick: u64,
    pub(crate) time: f64,
}

impl Sink<'_> {
    /// A value of the whole measure.
    pub(crate) fn put(&mut self, at: Moment, quantity: &'static Quantity, value: f64) {
        self.row(at, quantity, value, None, None);
    }

    /// A value of one agent.
    pub(crate) fn of_agent(
        &mut self,
        at: Moment,
        quantity: &'static Quantity,
        value: f64,
        (group, agent): (u32, u32),
    ) {
        self.row(at, quantity, value, Some(group), Some(agent));
    }

    /// A value of one group.
    pub(crate) fn of_group(
        &mut self,
        at: Moment,
        quantity: &'static Quantity,
        value: f64,
        group: u32,
    ) {
        self.row(at, quantity, value, Some(group), None);
    }

    fn row(
        &mut self,
        Moment { tick, time }: Moment,
        quantity: &'static Quantity,
        value: f64,
        group: Option<u32>,
        agent: Option<u32>,
    ) {
        let group = group.map(|group| group as usize);
        let measure = self.measure;
        self.rows.push(Row { measure, tick, time, quantity, value, group, agent });
    }
}

/// The mean of numbers that come one by one, and the largest of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Statistics {
    count: u64,
    sum: f64,
    squares: f64,
    largest: f64,
}

impl Statistics {
    pub(crate) fn add(&mut self, x: f64) {
        self.count += 1;
        self.sum += x;
        self.squares += x * x;
        self.largest = self.largest.max(x);
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    pub(crate) fn root_mean_square(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.squares / self.count as f64).sqrt())
    }

    /// The standard deviation by the mean; none of a mean of zero.
    pub(crate) fn variation(&self) -> Option<f64> {
        let mean = self.mean().filter(|mean| *mean > 0.0)?;
        let variance = self.squares / self.count as f64 - mean * mean;
        Some(variance.max(0.0).sqrt() / mean)
    }

    pub(crate) fn largest(&self) -> Option<f64> {
        (self.count > 0).then_some(self.largest)
    }
}
