//! Steps one [`Crowd`](wayfare::Crowd) on many machines, or in several threads, with the same bits
//! as on one.
//!
//! The world is divided into [`Domains`], boxes of about the same cost. A rank, a process or a
//! thread, owns the agents in its domain and steps them. Before each tick it gets copies of the
//! agents of other ranks that its own ones may read. Agents that cross a border move to the other
//! rank with all of their state. Sums over neighbors are order-free and random numbers are keyed by
//! the agent's id, so that the [digest](Cluster::digest) does not depend on the number of ranks.
//!
//! The algorithm is [`Cluster`]. It communicates by a [`Link`], of which there are two
//! implementations: [`in_threads`] for tests and debugging, and MPI in the program `wayfare-mpi`
//! (feature `mpi`, which needs an MPI library). docs/cluster.md describes the algorithm.
//!
//! ```
//! use wayfare::prelude::*;
//! use wayfare_cluster::{Cluster, Settings, in_threads};
//! let sky = Shape::box_between(vec2(0.0, 0.0), vec2(300.0, 200.0));
//! let birds = Group::new("birds", 300, Spawn::inside(sky), 2.0)
//!     .velocity(StartVelocity::Random)
//!     .steer(Flock::default().radius(10.0));
//! let setup = Setup::new(1.0).group(birds);
//!
//! let mut alone = setup.clone().crowd()?;
//! (0..20).for_each(|_| alone.step());
//! let digests = in_threads(3, |link| {
//!     let mut cluster = Cluster::new(setup.clone(), link, Settings::default())?;
//!     (0..20).try_for_each(|_| cluster.step())?;
//!     cluster.digest()
//! });
//! for digest in digests {
//!     assert_eq!(digest?, alone.digest());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod cluster;
mod domains;
mod error;
mod events;
mod exchange;
mod interest;
mod link;
mod output;
mod sought;
mod threads;
mod wire;

pub use checkpoint::{CheckpointError, Checkpoints};
pub use cluster::{Cluster, Settings, Usage};
pub use domains::{Domains, Region};
pub use error::ClusterError;
pub use link::{Link, LinkError};
pub use output::{TrajectoryError, TrajectoryWriter};
pub use threads::{ThreadLink, in_threads};

#[cfg(feature = "mpi")]
pub mod program;
