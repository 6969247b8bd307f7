//! The names of groups and states, which rows have as indices.

/// Names of groups and states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The names of groups.
    pub groups: Vec<String>,
    /// The names of states.
    pub states: Vec<String>,
}

impl Names {
    /// The name of the group with this index; empty for an unknown one.
    pub fn group(&self, index: u32) -> &str {
        self.groups.get(index as usize).map_or("", String::as_str)
    }

    /// The name of the state with this index; empty for an unknown one.
    pub fn state(&self, index: u32) -> &str {
        self.states.get(index as usize).map_or("", String::as_str)
    }

    /// The index of the group with this name, which is added if it is new.
    pub(crate) fn group_index(&mut self, name: &str) -> u32 {
        index(&mut self.groups, name)
    }

    /// The index of the state with this name, which is added if it is new.
    pub(crate) fn state_index(&mut self, name: &str) -> u32 {
        index(&mut self.states, name)
    }
}

fn index(names: &mut Vec<String>, name: &str) -> u32 {
    let known = names.iter().position(|known| known == name);
    known.unwrap_or_else(|| {
        names.push(name.to_string());
        names.len() - 1
    }) as u32
}
