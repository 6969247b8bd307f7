//! What is legal and moves badly: shown by `wayfare check`, and no error.

use wayfare::behavior::{Behavior, SlowingRadius};
use wayfare::combine::{Entry, List};
use wayfare::crowd::{Fault, Group, Place, Setup, Spread};
use wayfare::obstacle::Shape;
use wayfare::vector::Vector;

use crate::decode::at_place;
use crate::diagnostic::Problem;
use crate::tree::Node;

pub(crate) fn hints<V: Vector>(root: &Node, setup: &Setup<V>) -> Vec<Problem> {
    let mut found = Vec::new();
    for (i, group) in setup.groups.iter().enumerate() {
        let place = Place::default().key("group").at(i);
        let (lightest, heaviest) = ends(group.mass);
        if setup.dt as f32 / lightest > 1.0 {
            found.push(Fault {
                place: place.key("mass"),
                message: format!("a mass of {lightest} is less than `dt`, {}: forces overshoot at every tick", setup.dt),
                allowed: "moves well: a mass (a reaction time) of several `dt`".to_string(),
            });
        }
        let slowest = 4.0 * heaviest * ends(group.max_speed).1;
        arrivals(&place.key("steer"), &group.steer, slowest, &mut found);
        for (k, state) in group.states.iter().enumerate() {
            arrivals(&place.key("state").at(k).key("steer"), &state.steer, slowest, &mut found);
        }
        faster_than_allowed(&place, group, &mut found);
    }
    for (i, shape) in setup.obstacles.iter().enumerate() {
        if let Shape::Box { angle, .. } = shape
            && *angle != 0.0
            && angle.to_degrees().abs() <= 1.6
        {
            found.push(Fault {
                place: Place::default().key("obstacle").at(i).key("box").key("angle"),
                message: format!("`angle` is in degrees, and {} is hardly a turn", angle.to_degrees()),
                allowed: format!("{:.1} if it was meant in radians", angle.to_degrees().to_degrees()),
            });
        }
    }
    found.into_iter().map(|fault| at_place(root, fault)).collect()
}

fn ends(spread: Spread) -> (f32, f32) {
    match spread {
        Spread::Same(x) => (x, x),
        Spread::Uniform(low, high) => (low, high),
    }
}

fn arrivals<V: Vector>(place: &Place, list: &List<V>, slowest: f32, found: &mut Vec<Fault>) {
    for (i, slot) in list.slots.iter().enumerate() {
        match &slot.entry {
            Entry::List(inner) => arrivals(&place.at(i).key("all"), inner, slowest, found),
            Entry::Behavior(Behavior::Arrive(arrive)) => {
                if let SlowingRadius::Fixed(radius) = arrive.slowing_radius
                    && radius < slowest
                {
                    found.push(Fault {
                        place: place.at(i).key("arrive").key("slowing_radius"),
                        message: format!("a slowing_radius of {radius} is short for this mass and speed: it overshoots before it settles"),
                        allowed: format!("settles at once: {slowest} or more (4 mass max_speed), or \"auto\""),
                    });
                }
            }
            Entry::Behavior(_) => {}
        }
    }
}

fn faster_than_allowed<V: Vector>(place: &Place, group: &Group<V>, found: &mut Vec<Fault>) {
    if let wayfare::crowd::StartVelocity::Same(velocity) = group.velocity
        && velocity.length() > ends(group.max_speed).0 * 1.0001
    {
        found.push(Fault {
            place: place.key("velocity"),
            message: format!("the velocity at the start, {} long, is above `max_speed`: the first step cuts it", velocity.length()),
            allowed: format!("keeps it: a velocity of at most {}", ends(group.max_speed).0),
        });
    }
}
