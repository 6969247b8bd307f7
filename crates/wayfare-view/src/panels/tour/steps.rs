//! What the guided tour says: the story of the tutorials in eleven steps. The formulas are not
//! here: they come from the page of behaviors.

/// Whose forces a step shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forces {
    Nobodys,
    Everybodys,
    /// Those of the agent of this id.
    Of(u32),
}

/// What a button of a step opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    /// The settings of this name.
    Setting(&'static str),
    /// Another scene beside it.
    Compare,
}

/// A step of the tour. What stands between backticks can be set in its scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) title: &'static str,
    /// The bundled scene that it shows.
    pub(crate) scene: &'static str,
    /// The section of the page of behaviors that has its formula.
    pub(crate) section: &'static str,
    /// Up to three sentences.
    pub(crate) text: &'static str,
    /// The symbols of the formula that are new in this step.
    pub(crate) symbols: &'static str,
    /// One thing to do.
    pub(crate) attempt: &'static str,
    /// What a button beside that opens.
    pub(crate) offer: Option<Offer>,
    /// Whose forces are shown.
    pub(crate) forces: Forces,
    /// Whether trails are.
    pub(crate) trails: bool,
}

pub(crate) const STEPS: [Step; 11] = [
    Step {
        title: "Seek: a force is a wish minus what is",
        scene: "seek",
        section: "seek",
        text: "A seeker has one wish: to be going straight at the target, at full speed. Its \
               steering force is that desired velocity minus the velocity it has, so it does not \
               turn on the spot but bends its way round, the heavier the more slowly. The wish \
               never gets smaller, not even on the target, and so everybody shoots past it and \
               comes back.",
        symbols: "p: where the agent is. v: its velocity. unit(x): the direction of x, with the \
                  length 1.",
        attempt: "Move the mouse or a finger, which is the target: the light one (mass 2) turns \
                  at once, the heavy one (mass 60) swings wide.",
        offer: None,
        forces: Forces::Everybodys,
        trails: true,
    },
    Step {
        title: "Flee: the same, turned round",
        scene: "flee",
        section: "flee",
        text: "To flee, wish for the opposite: full speed straight away from the target, and \
               again minus the velocity you have. Who is farther away than the panic radius has \
               no force at all. ExitAction drag, which takes a little of the velocity at every tick, \
               lets it come to rest.",
        symbols: "p - target: the way from the target to the agent; seek has it the other way \
                  round.",
        attempt: "Chase them with the mouse or a finger. ExitAction set `panic_radius` to 40: now they \
                  hardly notice you.",
        offer: Some(Offer::Setting("panic_radius")),
        forces: Forces::Nobodys,
        trails: false,
    },
    Step {
        title: "Arrive: slow down in time",
        scene: "arrive",
        section: "arrive",
        text: "Seek cannot stop; arrive can, as it wishes for less and less. Inside the slowing \
               radius the desired speed shrinks with the distance, from full speed at the edge of \
               the circle to zero on the target. A velocity needs time to follow a wish, so the \
               circle must be large enough: the hasty one's is too small for its mass, and it \
               swings to and fro before it settles.",
        symbols: "d: the distance to the target.",
        attempt: "Move the target and hold it still. ExitAction drag the hasty one's `slowing_radius` \
                  from 20 up to 180, where the swinging ends.",
        offer: Some(Offer::Setting("slowing_radius")),
        forces: Forces::Everybodys,
        trails: true,
    },
    Step {
        title: "Wander: a target that strolls",
        scene: "wander",
        section: "wander",
        text: "Who has nowhere to go still needs a force. A circle rides ahead of each wanderer, \
               and the force points from the wanderer to a spot on its rim; at every tick the \
               spot takes a small random step along the rim. So the direction changes all the \
               time and never all at once, which looks alive.",
        symbols: "heading: the way the agent faces, with the length 1. displacement: from the \
                  circle's center to the spot, circle_radius long. Arrows are drawn larger than \
                  circles.",
        attempt: "Compare the trails of the calm and the nervous ones, then raise the calm ones' \
                  `angle_change`.",
        offer: Some(Offer::Setting("angle_change")),
        forces: Forces::Everybodys,
        trails: true,
    },
    Step {
        title: "Pursuit: aim at where it will be",
        scene: "pursue",
        section: "pursue",
        text: "Who seeks a moving quarry only ever runs after it. A pursuer looks ahead: it takes \
               the time T that it would need to get there at full speed, lets the quarry's \
               velocity run on for so long, and seeks the point where that ends. So it cuts the \
               corner, and T shrinks as it comes nearer.",
        symbols: "quarry.p, quarry.v: where the quarry is, and its velocity. T = d / max_speed.",
        attempt: "Restart (R), and watch who cuts the corner: the seeker ends up behind the \
                  quarry. ExitAction pause, and drag the quarry somewhere else.",
        offer: None,
        forces: Forces::Of(2),
        trails: true,
    },
    Step {
        title: "Evade: leave its way",
        scene: "evade",
        section: "evade",
        text: "Evade is to pursue what flee is to seek: the point is predicted in the same way, \
               and the wish is to get away from it. That point lies ahead of the hunter, so they \
               step aside out of its way instead of running along in front of it. Pursue and \
               evade are seek and flee with another target: new behaviors are made of old ones.",
        symbols: "threat.p, threat.v: where the threat is, and its velocity. T: as in pursue.",
        attempt: "Pause, drag the hunter into the middle of the crowd, and play: see how a lane \
                  opens before it.",
        offer: None,
        forces: Forces::Nobodys,
        trails: false,
    },
    Step {
        title: "Combining: forces add up",
        scene: "seek-and-flee",
        section: "one tick",
        text: "Since every behavior gives a force, an agent can have several: each is multiplied \
               by its weight, and they are added. The sum is cut to max_force, divided by the \
               mass, and added to the velocity; that is cut to max_speed, and moves the agent. \
               This is one tick, and the whole method: all that a behavior does is to add a force.",
        symbols: "truncate(x, n): x, cut to the length n. m: the mass. dt: the length of a tick. \
                  drag: how much of v is lost per unit of time.",
        attempt: "Look at the arrows: seek, flee, and both together lead round the guards. Drag a \
                  guard into the way, or set the `weight` of flee to 2.",
        offer: Some(Offer::Setting("weight")),
        forces: Forces::Everybodys,
        trails: true,
    },
    Step {
        title: "Avoiding: look ahead",
        scene: "avoid-several",
        section: "avoid_obstacles",
        text: "Fleeing from every obstacle would be too careful, as only what is ahead is in the \
               way. So a probe reaches ahead, the farther the faster one goes, and the most \
               threatening obstacle that it touches pushes sideways. Added to arrive, that is \
               enough to find a way between circles, though it is only a push: it knows no way \
               out of a dead end.",
        symbols: "far: the end of the probe. center: the circle's. normal, along: straight out of \
                  a face, and along it.",
        attempt: "Drag a circle into somebody's way. ExitAction move the mouse or a finger, and they \
                  arrive there instead.",
        offer: None,
        forces: Forces::Everybodys,
        trails: true,
    },
    Step {
        title: "Paths: one target after another",
        scene: "path-radius",
        section: "follow_path",
        text: "A path is a list of points, the nodes, and a radius. The walker seeks a node until \
               it is within the radius, and then the next one; at the last one it arrives. The \
               radius is the room to turn: the larger it is, the earlier the walker turns and the \
               rounder its way.",
        symbols: "node: the point that is next on the path. radius: the path's.",
        attempt: "Drag a point of the path. Or Compare: beside it is the same path with a radius \
                  of 10, whose points must be touched.",
        offer: Some(Offer::Compare),
        forces: Forces::Nobodys,
        trails: true,
    },
    Step {
        title: "Leader: a squad out of three forces",
        scene: "leader",
        section: "follow_leader",
        text: "Now the parts come together. Each soldier arrives at a point behind the leader; \
               separation pushes it away from neighbors that are too near; and where it stands in \
               the leader's way, it evades. No soldier knows of a formation, and yet they march \
               like a squad.",
        symbols: "behind: how far behind the leader that point is. separation: a push away from \
                  the middle of the neighbors within a radius.",
        attempt: "Drag the captain into its soldiers. Or Compare: beside it the soldiers keep \
                  apart, but do not make way.",
        offer: Some(Offer::Compare),
        forces: Forces::Nobodys,
        trails: false,
    },
    Step {
        title: "Queue: manners at the door",
        scene: "doorway-separation",
        section: "queue",
        text: "All seek the same door, and without manners they would stand in one another. Who \
               sees somebody ahead takes back most of its other forces, brakes, and keeps apart, \
               until the way is free. Nobody directs them: a queue is what comes about when each \
               one follows its own forces.",
        symbols: "sum: the forces before it in the list. u: the velocity, damped where somebody \
                  is near. brake, damping: how strongly.",
        attempt: "Compare: without the queue they are faster, but through one another. ExitAction drag \
                  a wall, make the door wider, and restart.",
        offer: Some(Offer::Compare),
        forces: Forces::Nobodys,
        trails: false,
    },
];
