//! Which parts of a snapshot and of a crowd have the same names.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::names::{GroupNames, Names};

/// The indices in the crowd of the groups and paths of a snapshot, by name.
pub(in crate::crowd::snapshot) struct Matches {
    pub(super) groups: Vec<Option<usize>>,
    pub(super) paths: Vec<Option<usize>>,
    /// Whether groups, paths and fields have the same indices, so that parameters of behaviors
    /// refer to the same.
    pub(super) same_indices: bool,
}

impl Matches {
    pub(super) fn new(old: &Names, new: &Names) -> Self {
        fn find<'a>(
            old: impl Iterator<Item = &'a String>,
            new: impl Iterator<Item = &'a String> + Clone,
        ) -> Vec<Option<usize>> {
            let at =
                |name: &String| new.clone().position(|other| !name.is_empty() && other == name);
            old.map(at).collect()
        }
        fn name(group: &GroupNames) -> &String {
            &group.name
        }
        let groups = find(old.groups.iter().map(name), new.groups.iter().map(name));
        let paths = find(old.paths.iter(), new.paths.iter());
        let fields = find(old.fields.iter(), new.fields.iter());
        let all = [&groups, &paths, &fields];
        let same = |list: &&Vec<_>| list.iter().enumerate().all(|(i, at)| *at == Some(i));
        let same_indices = all.iter().all(same);
        Self { groups, paths, same_indices }
    }
}
