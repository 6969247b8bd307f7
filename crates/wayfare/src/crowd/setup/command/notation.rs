//! The macro that declares a list of commands with their arguments.

/// The keys of one command, or of one change of an agent, in the order in which they are written.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    /// Its own key; of several the one that the first argument names.
    pub keys: &'static [&'static str],
    /// The kind of the argument under that key: the method of
    /// [`ReadArguments`](crate::crowd::ReadArguments) and
    /// [`WriteArguments`](crate::crowd::WriteArguments).
    pub kind: &'static str,
    /// The other arguments: their names and kinds.
    pub others: &'static [(&'static str, &'static str)],
}

impl Notation {
    /// The arguments beside the first that have a key: its name, and whether it is required.
    ///
    /// A change of an agent stands under its own key, and the value of a limit under the name of
    /// the limit.
    pub fn other_keys(&self) -> impl Iterator<Item = (&'static str, bool)> {
        self.others.iter().filter_map(|(name, kind)| match *kind {
            "change" | "limit_value" => None,
            kind => Some((*name, kind != "optional_point")),
        })
    }

    /// Whether a change of an agent follows.
    pub fn has_change(&self) -> bool {
        self.others.iter().any(|(_, kind)| *kind == "change")
    }
}

/// The keys of a line: one, or several in brackets.
macro_rules! keys {
    ([$($key:literal),*]) => {
        &[$($key),*]
    };
    ($key:literal) => {
        &[$key]
    };
}

/// Declares an enum of commands and their notation. A variant is `Variant "key" (arguments)` or
/// `Variant "key" { arguments }`, with arguments `name: Type = kind`, the first of them under the
/// key; or `Variant "key" encoded (types)`, which is written as the feature `serde` does.
macro_rules! commands {
    ($(#[$about:meta])* $Name:ident { $(
        $(#[$doc:meta])*
        $variant:ident $keys:tt
        $(($first:ident: $first_type:ty = $first_kind:ident
            $(, $(#[$meta:meta])* $arg:ident: $type:ty = $kind:ident)*))?
        $({ $(#[$head_doc:meta])* $head:ident: $head_type:ty = $head_kind:ident
            $(, $(#[$field_doc:meta])* $field:ident: $field_type:ty = $field_kind:ident)* })?
        $(encoded $encoded:tt)?,
    )* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(rename_all = "snake_case", deny_unknown_fields)
        )]
        #[non_exhaustive]
        pub enum $Name<V: Vector> { $(
            $(#[$doc])*
            $variant
            $(($first_type $(, $(#[$meta])* $type)*))?
            $({ $(#[$head_doc])* $head: $head_type
                $(, $(#[$field_doc])* $field: $field_type)* })?
            $($encoded)?,
        )* }

        impl<V: Vector> $Name<V> {
            /// The notation of all of them, in the order of their declaration.
            pub const LIST: &'static [Notation] = &[$(Notation {
                keys: keys!($keys),
                $(kind: stringify!($first_kind),
                others: &[$((stringify!($arg), stringify!($kind))),*],)?
                $(kind: stringify!($head_kind),
                others: &[$((stringify!($field), stringify!($field_kind))),*],)?
                $(kind: { let _ = stringify!($encoded); "encoded" }, others: &[],)?
            }),*];

            /// The one under `key`, with the arguments that `from` reads; `None` if there is none,
            /// or an argument is missing or wrong.
            pub fn read(key: &str, from: &mut impl ReadArguments<V>) -> Option<Self> {
                $(if let Some(key) = keys!($keys).into_iter().find(|known| **known == key) {
                    $(return Some(Self::$variant(
                        from.$first_kind(key)? $(, from.$kind(stringify!($arg))?)*
                    ));)?
                    $(return Some(Self::$variant {
                        $head: from.$head_kind(key)?
                        $(, $field: from.$field_kind(stringify!($field))?)*
                    });)?
                    $(let _ = stringify!($encoded);
                    return from.encoded(key);)?
                })*
                None
            }

            /// Writes the arguments to `to`, the one under the key first.
            pub fn write(&self, to: &mut impl WriteArguments<V>) {
                match self { $(
                    $(Self::$variant($first $(, $arg)*) => {
                        to.$first_kind(keys!($keys)[0], $first);
                        $(to.$kind(stringify!($arg), $arg);)*
                    })?
                    $(Self::$variant { $head $(, $field)* } => {
                        to.$head_kind(keys!($keys)[0], $head);
                        $(to.$field_kind(stringify!($field), $field);)*
                    })?
                    $(Self::$variant { .. } => {
                        let _ = stringify!($encoded);
                        to.encoded(keys!($keys)[0], self);
                    })?
                )* }
            }
        }
    };
}

pub(super) use commands;
pub(super) use keys;
