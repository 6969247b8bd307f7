//! The scene `wander`: the wander angle takes uniform, independent steps, and turns are as sharp
//! as the force allows and no sharper.

use wayfare::behavior::{Wander, wander};
use wayfare::crowd::Distribution;
use wayfare::glam::Vec2;
use wayfare::parameter::Auto;
use wayfare::random::Random;
use wayfare::registry::Behavior;
use wayfare::{Agent, Crowd};

use super::{scene, setup};

/// The wander parameters of each group, with the group's mass, max_speed and max_force.
fn wanderers() -> Vec<(Wander, [f32; 3])> {
    let number = |distribution| {
        let Distribution::Same(x) = distribution else { panic!("a range, not a number") };
        x
    };
    let groups = setup("wander").groups.into_iter();
    let found = groups.map(|group| {
        let Some(Behavior::Wander(wander)) = group.steer.behaviors().next() else {
            panic!("{} does not wander", group.name)
        };
        (*wander, [number(group.mass), number(group.max_speed), number(group.max_force)])
    });
    found.collect()
}

#[test]
fn the_wander_angle_takes_uniform_and_independent_steps() {
    const DRAWS: usize = 100_000;
    for (parameters, _) in wanderers() {
        let width = f64::from(given(parameters.angle_change));
        let mut steps = Vec::with_capacity(DRAWS);
        for id in 0..100 {
            let host = Agent::new(Vec2::ZERO, 2.0);
            let mut angle = Some(0.0_f32);
            for tick in 0..DRAWS as u64 / 100 {
                let before = angle.unwrap();
                let _ =
                    wander(&host, &parameters, &mut angle, &mut Random::new(11, id, tick, 0), 1.0);
                let step = f64::from(angle.unwrap()) - f64::from(before);
                // The angle is wrapped into one turn.
                steps.push(step - std::f64::consts::TAU * (step / std::f64::consts::TAU).round());
            }
        }
        let n = DRAWS as f64;
        // Angles up to pi are kept to some 2e-7.
        let rounding = 1e-6;
        assert!(steps.iter().all(|step| step.abs() <= width / 2.0 + rounding));
        // Uniform: mean 0 with the variance w^2 / 12 / n, variance w^2 / 12 with the variance (w^4
        // / 80 - w^4 / 144) / n. Four sigma.
        let mean = steps.iter().sum::<f64>() / n;
        assert!(mean.abs() < 4.0 * width / (12.0 * n).sqrt(), "mean {mean}");
        let variance = steps.iter().map(|step| (step - mean).powi(2)).sum::<f64>() / n;
        let error = (variance - width * width / 12.0).abs();
        assert!(
            error < 4.0 * width * width * ((1.0 / 80.0 - 1.0 / 144.0) / n).sqrt(),
            "variance {variance}"
        );
        // Independent: products of successive steps have the mean 0 and the variance
        // (w^2 / 12)^2.
        let correlation = steps.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / n;
        assert!(
            correlation.abs() < 4.0 * width * width / 12.0 / n.sqrt(),
            "correlation {correlation}"
        );
        // Kolmogorov-Smirnov: the largest distance between the distribution functions exceeds
        // 1.95 / sqrt(n) with a probability of 0.001.
        steps.sort_unstable_by(f64::total_cmp);
        let distance = steps
            .iter()
            .enumerate()
            .map(|(i, step)| ((step / width + 0.5) - (i as f64 + 0.5) / n).abs())
            .fold(0.0, f64::max);
        assert!(distance < 1.95 / n.sqrt(), "distance {distance}");
    }
}

#[test]
fn no_wandering_agent_turns_more_sharply_than_its_force_allows() {
    let scene = scene("wander");
    let ticks = scene.ticks();
    let counts: Vec<usize> = scene.setup.groups.iter().map(|group| group.count).collect();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    let (mut walked, mut sharpest) = (vec![0.0; crowd.len()], vec![0.0_f32; crowd.len()]);
    let velocities = |crowd: &Crowd<Vec2>| {
        let mut all = vec![Vec2::ZERO; crowd.len()];
        crowd.agents().for_each(|(id, agent)| all[id.0 as usize] = agent.velocity);
        all
    };
    let parameters: Vec<_> = wanderers()
        .into_iter()
        .zip(counts)
        .flat_map(|(parameters, count)| std::iter::repeat_n(parameters, count))
        .collect();
    for _ in 0..ticks {
        let before = velocities(&crowd);
        crowd.step();
        for (id, (velocity, (wander, [mass, _, max_force]))) in
            velocities(&crowd).into_iter().zip(&parameters).enumerate()
        {
            walked[id] += velocity.length();
            let push = (given(wander.circle_distance) + given(wander.circle_radius))
                .min(*max_force)
                / mass;
            // A push of this length turns the velocity most where it is at a right angle to the
            // velocity that results. A push longer than the velocity can turn it by any angle.
            let speed = before[id].length();
            let allowed = if push < speed { (push / speed).asin() } else { std::f32::consts::PI };
            let turn = before[id].angle_to(velocity).abs();
            assert!(turn <= allowed + 1e-4, "agent {id} turns by {turn} of {allowed}");
            sharpest[id] = sharpest[id].max(turn / allowed);
        }
    }
    for (id, (wander, _)) in parameters.iter().enumerate() {
        assert!(
            walked[id] > 50.0 * given(wander.circle_radius),
            "agent {id} walked {}",
            walked[id]
        );
        assert!(sharpest[id] > 0.3, "agent {id} hardly turns, so the bound is not tested");
    }
}

/// The number that the scene gives.
fn given(number: Auto) -> f32 {
    let Auto::Fixed(number) = number else { panic!("the scene gives it") };
    number
}
