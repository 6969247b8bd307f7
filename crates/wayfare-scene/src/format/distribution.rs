//! Numbers that each agent draws for itself: `{ uniform = [10, 30] }`, `{ normal = [20, 3] }`.

use wayfare::crowd::{Distribution, StartAfter, range};
use wayfare::parameter::Range;

use crate::decode::{Decoder, to_f32};
use crate::diagnostic::Problem;
use crate::document::Node;

/// A distribution of numbers by two numbers.
pub(crate) struct DistributionKey {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    /// The meaning of its two numbers.
    allowed: &'static str,
    make: fn(f32, f32) -> Distribution,
}

pub(crate) static DISTRIBUTIONS: &[DistributionKey] = &[
    DistributionKey {
        name: "uniform",
        doc: "A range from which each agent draws its own number.",
        allowed: "two numbers, the smaller first, such as [10, 30]",
        make: Distribution::Uniform,
    },
    DistributionKey {
        name: "normal",
        doc: "The mean and the standard deviation of a normal distribution, from which each agent \
              draws its own number, at most three deviations from the mean.",
        allowed: "a mean and a standard deviation, such as [20, 3]",
        make: Distribution::Normal,
    },
];

/// The key of a list with a number for each member.
pub(crate) const LIST: &str = "list";

/// The distributions, as TOML writes them.
pub(crate) const DISTRIBUTION_EXAMPLE: &str = "{ uniform = [10, 30] } or { normal = [20, 3] }";

impl DistributionKey {
    /// The ranges of its two numbers, of a distribution of numbers in `range`.
    pub(crate) fn ranges(&self, range: Range) -> [Range; 2] {
        let finite = Range { infinite: false, ..range };
        [finite, if self.name == "normal" { range::DEVIATION } else { finite }]
    }
}

impl Decoder {
    /// A number, or a distribution from which each agent draws its own number.
    pub(crate) fn distribution(
        &mut self,
        key: &str,
        node: &Node,
        range: Range,
    ) -> Option<Distribution> {
        if node.is_number() || node.text() == Some("inf") {
            return self.number(key, node, range).map(|x| Distribution::Same(to_f32(x)));
        }
        let only = node.table().filter(|entries| entries.len() == 1).and_then(|all| all.first());
        let found = only.and_then(|entry| {
            let known = DISTRIBUTIONS.iter().find(|known| known.name == entry.key);
            known.map(|known| (known, &entry.node))
        });
        let Some((known, numbers)) = found else {
            self.wrong(key, node, format!("{range}, or a range such as {DISTRIBUTION_EXAMPLE}"));
            return None;
        };
        let Some([first, second]) = numbers.list() else {
            self.wrong(known.name, numbers, known.allowed);
            return None;
        };
        let [of_first, of_second] = known.ranges(range);
        let first = self.number(known.name, first, of_first);
        let second = self.number(known.name, second, of_second);
        Some((known.make)(to_f32(first?), to_f32(second?)))
    }

    /// A number, a distribution, or a list with a number for each member.
    pub(crate) fn start_after(
        &mut self,
        key: &str,
        node: &Node,
        range: Range,
    ) -> Option<StartAfter> {
        let only = node.table().filter(|entries| entries.len() == 1).and_then(|all| all.first());
        if let Some(entry) = only.filter(|entry| entry.key == LIST) {
            let allowed = "a list of numbers, one for each member, such as [0, 5, 12]";
            let items = self.list(LIST, &entry.node, allowed)?;
            let times: Vec<f32> =
                items.iter().filter_map(|n| self.number(LIST, n, range)).map(to_f32).collect();
            return (times.len() == items.len()).then_some(StartAfter::Listed(times));
        }
        if node.list().is_some() {
            let allowed = format!("{range}, a range such as {{ uniform = [5, 20] }}, or a list");
            let mut problem =
                Problem::new(node.span.clone(), format!("`{key}` is {}", node.describe()), allowed);
            problem.help = Some("a list is written { list = [0, 5] }".to_string());
            self.problems.push(problem);
            return None;
        }
        if let Some(entry) = only.filter(|e| !DISTRIBUTIONS.iter().any(|d| d.name == e.key)) {
            let known: Vec<&str> = DISTRIBUTIONS.iter().map(|d| d.name).chain([LIST]).collect();
            let message = format!("the key `{}` is not known in `{key}`", entry.key);
            self.unknown(&entry.span, &message, &entry.key, &known, "");
            return None;
        }
        if node.table().is_some() && only.is_none() {
            let allowed = format!("one of {DISTRIBUTION_EXAMPLE} or {{ list = [0, 5] }}");
            self.wrong(key, node, allowed);
            return None;
        }
        self.distribution(key, node, range).map(StartAfter::Drawn)
    }
}
