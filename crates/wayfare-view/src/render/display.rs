//! The choice of the parts of a scene that are drawn, and of the view.

use crate::render::camera::View;
use wayfare::AgentId;

/// The choices of the user about the picture.
#[derive(Clone, Debug)]
pub(crate) struct Display {
    pub(crate) view: View,
    pub(crate) trails: bool,
    /// Whether forces are drawn: those on the selected agent, or on the first ones.
    pub(crate) forces: bool,
    /// The selected agent: its forces and plots are shown.
    pub(crate) selected: Option<AgentId>,
    /// The agent that the view follows.
    pub(crate) follow: Option<AgentId>,
}

impl Default for Display {
    fn default() -> Self {
        Self { view: View::default(), trails: true, forces: false, selected: None, follow: None }
    }
}

impl Display {
    /// Resets what belongs to one scene.
    pub(crate) fn reset(&mut self) {
        (self.view, self.follow, self.selected) = (View::default(), None, None);
    }

    /// Shows the whole world.
    pub(crate) fn fit(&mut self) {
        (self.view, self.follow) = (View::default(), None);
    }

    /// The agent whose plots are shown, if the user has named one.
    pub(crate) fn plotted(&self) -> Option<AgentId> {
        self.selected.or(self.follow)
    }
}
