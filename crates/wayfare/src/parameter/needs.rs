//! What behaviors and solvers say of themselves: what they need, and their roles.

macro_rules! flags {
    ($(#[$about:meta])* $Name:ident { $($(#[$doc:meta])* $flag:ident = $bit:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $Name(u16);

        impl $Name {
            /// None of them.
            pub const NONE: Self = Self(0);
            $($(#[$doc])* pub const $flag: Self = Self(1 << $bit);)*
            /// All of them, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$flag),*];

            /// The names of those that it has, in the order of their declaration.
            pub fn names(self) -> impl Iterator<Item = &'static str> {
                let names = [$(stringify!($flag)),*];
                Self::ALL.iter().zip(names).filter(move |(flag, _)| self.has(**flag)).map(|f| f.1)
            }

            /// These and the others.
            #[must_use]
            pub const fn and(self, others: Self) -> Self {
                Self(self.0 | others.0)
            }

            /// Whether it has one of `others`.
            pub const fn has(self, others: Self) -> bool {
                self.0 & others.0 != 0
            }
        }
    };
}

flags! {
    /// What a behavior or solver needs beside the host and the world: the crowd prepares each only
    /// for those that need it. A built-in one that reads what it does not name fails a test; a
    /// user's code gets a memory, the bodies of neighbors and all of [`Shared`](crate::Shared).
    Needs {
        /// Its [`Memory`](crate::Memory): each agent has one for each slot that needs it.
        MEMORY = 0,
        /// The facing of the host, apart from its heading: by
        /// [`SteerContext::face`](crate::SteerContext::face).
        FACING = 1,
        /// The body radii and top speeds of neighbors.
        BODIES = 2,
        /// The centers of the groups that its parameters name, or of any in a user's behavior:
        /// [`SteerContext::center`](crate::SteerContext::center).
        CENTERS = 3,
        /// Flow fields: [`SteerContext::field`](crate::SteerContext::field).
        FIELDS = 4,
        /// The grid of its slot: [`SteerContext::explored`](crate::SteerContext::explored).
        EXPLORED = 5,
        /// The number of members of a group in formation, and the host's slot:
        /// [`SteerContext::members`](crate::SteerContext::members).
        MEMBERS = 6,
        /// The lengths of queues, and the host's place in one:
        /// [`SteerContext::queue`](crate::SteerContext::queue).
        QUEUES = 7,
        /// The planned route of the host: [`SteerContext::route`](crate::SteerContext::route).
        ROUTE = 8,
        /// The other members of the host's group, by
        /// [`SteerContext::member`](crate::SteerContext::member).
        PEERS = 9,
    }
}

impl Needs {
    /// What a user's behavior gets unasked: what it would read in vain without being told.
    pub(crate) const OF_USERS: Self = Self(Self::MEMORY.0 | Self::BODIES.0);
    /// Those that are in [`Shared`](crate::Shared).
    pub(crate) const SHARED: Self =
        Self(Self::FIELDS.0 | Self::EXPLORED.0 | Self::MEMBERS.0 | Self::QUEUES.0 | Self::ROUTE.0);
}

flags! {
    /// The roles of a behavior or solver in a list, for hints and summaries.
    Roles {
        /// It says where to go: the velocity plus the force is the velocity that it wants.
        ROUTES = 0,
        /// It heads straight for its `target`.
        HEADS_FOR_TARGET = 1,
        /// It finds a route round walls, or follows one that is given.
        FINDS_WAY = 2,
        /// It steers round obstacles.
        AVOIDS = 3,
        /// Agents arrive by it.
        ARRIVES = 4,
        /// It keeps the bodies of agents in the plane apart, which need a radius.
        KEEPS_APART = 5,
    }
}
