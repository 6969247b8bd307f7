//! The texts of the guided tour: the story of the tutorials in eleven steps. The formulas come from
//! docs/behaviors.md.

use wayfare::AgentId;

/// The agents whose forces a step shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forces {
    None,
    /// Those of the first agents.
    All,
    /// Those of the agent with this id.
    Of(AgentId),
}

/// The target of a step's button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    /// The settings with this name.
    Setting(&'static str),
    /// The comparison with another scene.
    Compare,
}

/// A step of the tour. Words between backticks are settings of its scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) title: &'static str,
    /// The bundled scene.
    pub(crate) scene: &'static str,
    /// The section of docs/behaviors.md that has the formula.
    pub(crate) section: &'static str,
    /// Two or three sentences.
    pub(crate) text: &'static str,
    /// The symbols of the formula that are new in this step.
    pub(crate) symbols: &'static str,
    /// Something to try.
    pub(crate) attempt: &'static str,
    /// The target of the button beside that.
    pub(crate) offer: Option<Offer>,
    pub(crate) forces: Forces,
    pub(crate) trails: bool,
}

pub(crate) const STEPS: [Step; 11] = [
    Step {
        title: "Seek: desired velocity minus velocity",
        scene: "seek",
        section: "seek",
        text: "A seeker's desired velocity points straight at the target, at full speed. The \
               steering force is that desired velocity minus the present one, so a seeker turns \
               gradually, and a heavy one more slowly. The desired velocity never gets shorter, so \
               every seeker overshoots the target and comes back.",
        symbols: "p: the agent's position. v: its velocity. unit(x): the direction of x, with \
                  length 1.",
        attempt: "Move the mouse or a finger, which is the target: the light agent (mass 2) turns \
                  at once, the heavy one (mass 60) swings wide.",
        offer: None,
        forces: Forces::All,
        trails: true,
    },
    Step {
        title: "Flee: the opposite direction",
        scene: "flee",
        section: "flee",
        text: "Flee desires the opposite: full speed straight away from the target, again minus \
               the present velocity. Agents farther away than the panic radius feel no force. Drag \
               takes a little of the velocity at every tick, so they come to rest.",
        symbols: "p - target: from the target to the agent; seek has the opposite sign.",
        attempt: "Chase the agents with the mouse or a finger. Then set `panic_radius` to 40: they \
                  react much later.",
        offer: Some(Offer::Setting("panic_radius")),
        forces: Forces::None,
        trails: false,
    },
    Step {
        title: "Arrive: slow down in time",
        scene: "arrive",
        section: "arrive",
        text: "Seek cannot stop; arrive can, as its desired speed gets smaller near the target. \
               Inside the slowing radius it shrinks with the distance, from full speed at the edge \
               of the circle to zero on the target. The circle must be large enough for the mass: \
               that of the hasty agent is too small, so it oscillates around the target.",
        symbols: "d: the distance to the target.",
        attempt: "Move the target and hold it still. Then drag the hasty agent's `slowing_radius` \
                  from 20 up to 180, where the oscillation ends.",
        offer: Some(Offer::Setting("slowing_radius")),
        forces: Forces::All,
        trails: true,
    },
    Step {
        title: "Wander: a moving random target",
        scene: "wander",
        section: "wander",
        text: "An agent without a target still needs a force. A circle is in front of each \
               wanderer, and the force points to a spot on its rim; at every tick the spot takes a \
               small random step along the rim. So the direction changes all the time and never \
               abruptly.",
        symbols: "heading: the agent's direction of view, with length 1. displacement: from the \
                  circle's center to the spot, with length circle_radius. Arrows are drawn larger \
                  than circles.",
        attempt: "Compare the trails of the calm and the nervous agents, then raise the calm \
                  agents' `angle_change`.",
        offer: Some(Offer::Setting("angle_change")),
        forces: Forces::All,
        trails: true,
    },
    Step {
        title: "Pursue: aim at the future position",
        scene: "pursue",
        section: "pursue",
        text: "An agent that seeks a moving quarry only runs after it. A pursuer predicts: it \
               takes the time T that it needs to reach the quarry at full speed, lets the quarry's \
               velocity run on for that time, and seeks the point reached. So it cuts corners, and \
               T shrinks as it comes nearer.",
        symbols: "quarry.p, quarry.v: the quarry's position and velocity. T = d / max_speed.",
        attempt: "Restart (R), and see who cuts corners: the seeker ends up behind the quarry. \
                  Then pause, and drag the quarry somewhere else.",
        offer: None,
        forces: Forces::Of(AgentId(2)),
        trails: true,
    },
    Step {
        title: "Evade: flee from the future position",
        scene: "evade",
        section: "evade",
        text: "Evade is to pursue what flee is to seek: it predicts the same point and flees from \
               it. That point is ahead of the hunter, so agents step aside instead of running \
               along in front of it. Pursue and evade are seek and flee with another target: new \
               behaviors are made from old ones.",
        symbols: "threat.p, threat.v: the threat's position and velocity. T: as in pursue.",
        attempt: "Pause, drag the hunter into the middle of the crowd, and play: a lane opens in \
                  front of it.",
        offer: None,
        forces: Forces::None,
        trails: false,
    },
    Step {
        title: "Combining: forces add up",
        scene: "seek-and-flee",
        section: "one tick",
        text: "Every behavior gives a force, so an agent can have several: each is multiplied by \
               its weight, and they are added. The sum is cut to max_force, divided by the mass \
               and added to the velocity; the velocity is cut to max_speed and moves the agent. \
               That is one tick.",
        symbols: "truncate(x, n): x, cut to length n. m: the mass. dt: the length of a tick. drag: \
                  the part of v lost per unit of time.",
        attempt: "Look at the arrows: seek and flee together lead around the guards. Drag a guard, \
                  or set the `weight` of flee to 2.",
        offer: Some(Offer::Setting("weight")),
        forces: Forces::All,
        trails: true,
    },
    Step {
        title: "Avoid obstacles: look ahead",
        scene: "avoid-several",
        section: "avoid_obstacles",
        text: "Only obstacles ahead matter, so fleeing from all of them would be too careful. A \
               probe reaches ahead, farther at higher speed, and the most threatening obstacle \
               that it touches pushes the agent sideways. Together with arrive this finds a path \
               between circles, but no way out of a dead end.",
        symbols: "far: the end of the probe. center: that of the circle. normal, along: \
                  perpendicular to a face, and along it.",
        attempt: "Drag a circle in front of an agent. Then move the mouse or a finger: the agents \
                  arrive there instead.",
        offer: None,
        forces: Forces::All,
        trails: true,
    },
    Step {
        title: "Paths: one target after another",
        scene: "path-radius",
        section: "follow_path",
        text: "A path is a list of points, the nodes, and a radius. The walker seeks a node until \
               it is within the radius, and then the next one; at the last one it arrives. With a \
               larger radius it turns earlier, and its trail is rounder.",
        symbols: "node: the next point of the path. radius: that of the path.",
        attempt: "Drag a point of the path. Or Compare: the other scene has the same path with a \
                  radius of 10.",
        offer: Some(Offer::Compare),
        forces: Forces::None,
        trails: true,
    },
    Step {
        title: "Leader: a squad from three forces",
        scene: "leader",
        section: "follow_leader",
        text: "This behavior combines earlier ones. Each soldier arrives at a point behind the \
               leader; separation pushes it away from close neighbors; and in front of the leader \
               it evades. No soldier knows a formation, but together they look like a squad.",
        symbols: "behind: the distance of that point from the leader. separation: a push away from \
                  the mean position of neighbors within a radius.",
        attempt: "Drag the captain into its soldiers. Or Compare: the soldiers of the other scene \
                  keep apart, but do not step aside.",
        offer: Some(Offer::Compare),
        forces: Forces::None,
        trails: false,
    },
    Step {
        title: "Queue: wait at the door",
        scene: "doorway-separation",
        section: "queue",
        text: "All agents seek the same door, and without a rule they would overlap there. An \
               agent with another one ahead takes back most of its other forces, brakes and keeps \
               its distance until there is room. A queue forms although no agent plans one.",
        symbols: "sum: the forces before it in the list. u: the velocity, damped near neighbors. \
                  brake, damping: how strongly.",
        attempt: "Compare: without the queue they are faster, but overlap. Then drag a wall to \
                  make the door wider, and restart.",
        offer: Some(Offer::Compare),
        forces: Forces::None,
        trails: false,
    },
];
