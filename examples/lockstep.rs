//! Lockstep: two players' machines simulate the same crowd and exchange commands, never positions.
//! Some packets arrive late: a machine that has gone on without a command rolls back to a copy of
//! the crowd from before it and simulates the ticks again.
//!
//! Run it: `cargo run --release -p wayfare --example lockstep`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use std::collections::VecDeque;

use wayfare::crowd::AgentChange;
use wayfare::prelude::*;

/// The number of ticks that a machine can roll back.
const HISTORY: usize = 8;

/// A command of one player, for the tick before whose step it is applied.
#[derive(Clone)]
struct Packet {
    tick: u64,
    player: u32,
    command: Command<Vec2>,
}

/// One player's machine.
struct Machine {
    crowd: Crowd<Vec2>,
    /// Copies from before the last ticks, the oldest first.
    before: VecDeque<Crowd<Vec2>>,
    /// All packets that have come, in the order in which every machine applies them.
    packets: Vec<Packet>,
    rolled_back: u64,
}

impl Machine {
    fn new(setup: &Setup<Vec2>) -> Result<Self, Box<dyn std::error::Error>> {
        Ok(Self {
            crowd: Crowd::new(setup.clone())?,
            before: VecDeque::new(),
            packets: Vec::new(),
            rolled_back: 0,
        })
    }

    /// Takes a packet. If its tick is over, the machine rolls back and simulates up to now again.
    fn receive(&mut self, packet: Packet) {
        let (now, tick) = (self.crowd.tick(), packet.tick);
        self.packets.push(packet);
        self.packets.sort_by_key(|packet| (packet.tick, packet.player));
        if tick < now {
            while self.before.back().is_some_and(|copy| copy.tick() >= tick) {
                self.crowd = self.before.pop_back().expect("it was just seen");
            }
            assert_eq!(self.crowd.tick(), tick, "a packet was later than the history is long");
            self.rolled_back += now - tick;
            while self.crowd.tick() < now {
                self.step();
            }
        }
    }

    /// Applies the commands of the present tick, and steps.
    fn step(&mut self) {
        if self.before.len() == HISTORY {
            self.before.pop_front();
        }
        self.before.push_back(self.crowd.clone());
        let tick = self.crowd.tick();
        for packet in self.packets.iter().filter(|packet| packet.tick == tick) {
            // A command that is refused is refused on every machine.
            let _ = self.crowd.apply(&packet.command);
        }
        self.crowd.step();
    }
}

fn setup() -> Setup<Vec2> {
    let team = |name: &str, x: f32| {
        let area = Shape::box_between(vec2(x, 0.0), vec2(x + 100.0, 200.0));
        Group::new(name, 20, Spawn::inside(area), 3.0)
            .mass(8.0)
            .steer(Arrive::new(Target::Order))
            .steer(Separation::default().radius(15.0).max_force(1.0))
    };
    Setup::new(1.0).seed(9).group(team("red", 0.0)).group(team("blue", 300.0))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let setup = setup();
    let mut machines = [Machine::new(&setup)?, Machine::new(&setup)?];
    // A machine that gets every packet in time, to compare with.
    let mut judge = Machine::new(&setup)?;
    // Packets on their way to the other machine: the tick at which each arrives.
    let mut on_the_way: Vec<(u64, usize, Packet)> = Vec::new();
    for tick in 0..200_u64 {
        for player in 0..2_u32 {
            // Each player sends one unit of the own team somewhere, now and then.
            if (tick + u64::from(player) * 5) % 12 == 0 {
                let id = AgentId(player * 20 + (tick / 12) as u32 % 20);
                let place = vec2((tick * 37 % 400) as f32, (tick * 53 % 200) as f32);
                let change = AgentChange::Order(Some(Order::Point(place)));
                let packet = Packet { tick, player, command: Command::Agent { id, change } };
                machines[player as usize].receive(packet.clone());
                judge.receive(packet.clone());
                // Every third packet is lost and sent again: it comes seven ticks late.
                let delay = if (tick / 12) % 3 == 0 { 7 } else { 2 };
                on_the_way.push((tick + delay, 1 - player as usize, packet));
            }
        }
        let (arrived, later) = on_the_way.into_iter().partition(|(at, ..)| *at <= tick);
        on_the_way = later;
        for (_, machine, packet) in Vec::from_iter::<Vec<_>>(arrived) {
            machines[machine].receive(packet);
        }
        machines.iter_mut().chain([&mut judge]).for_each(Machine::step);
    }
    for (_, machine, packet) in on_the_way {
        machines[machine].receive(packet);
    }
    let [first, second] = &machines;
    println!("tick {}, {} agents", first.crowd.tick(), first.crowd.len());
    println!("simulated again: {} and {} ticks", first.rolled_back, second.rolled_back);
    println!("digests: {:016x} and {:016x}", first.crowd.digest(), second.crowd.digest());
    assert!(first.rolled_back > 0 && second.rolled_back > 0 && judge.rolled_back == 0);
    assert_eq!(first.crowd.digest(), second.crowd.digest(), "the machines differ");
    assert_eq!(first.crowd.digest(), judge.crowd.digest(), "a late packet has changed the result");
    Ok(())
}
