//! rustsim-crowd's social force: its fastest paths on one thread, with its default parameters and
//! the crowd of its own benches.

use rustsim_crowd::prelude::{Pedestrian, Scratch, social_force};
use wayfare::random::Random;

use crate::{Engine, near, side};

pub(crate) struct SocialForce {
    people: Vec<Pedestrian>,
    parameters: social_force::Params,
    scratch: Scratch,
    simd: bool,
}

impl SocialForce {
    pub(crate) fn new(count: usize, simd: bool) -> Self {
        let side = side(count, 0.5) as f32;
        let parameters = social_force::Params::default();
        let people = (0..count as u32)
            .map(|id| {
                let mut random = Random::new(1, id, 0, 0);
                let mut point = || [0, 1].map(|_| f64::from(random.between(0.0, side)));
                Pedestrian::new(point(), [0.0, 0.0], 0.25, 1.34, point())
            })
            .collect();
        let scratch = Scratch::with_capacity(count, social_force::neighbor_cutoff(&parameters));
        Self { people, parameters, scratch, simd }
    }
}

impl Engine for SocialForce {
    fn step(&mut self) {
        let step =
            if self.simd { social_force::step_scratch_simd } else { social_force::step_scratch };
        step(&mut self.people, &[], &self.parameters, 0.05, &mut self.scratch);
    }
    fn mean_neighbors(&self) -> f64 {
        let points: Vec<_> = self.people.iter().map(|person| person.pos).collect();
        near(&points, social_force::neighbor_cutoff(&self.parameters), |d| d)
    }
}
