//! The panel beside the picture, or below it on a narrow screen.

use eframe::egui::{Panel, ScrollArea, Ui};

use crate::action::{Action, SidePanel};

/// Width at first (points of the screen).
pub(crate) const WIDTH: f32 = 340.0;

/// Shows a panel: `header` stays in place, `content` scrolls.
pub(crate) fn show(
    ui: &mut Ui,
    panel: SidePanel,
    narrow: bool,
    header: impl FnOnce(&mut Ui),
    content: impl FnOnce(&mut Ui) -> Vec<Action>,
) -> Vec<Action> {
    let inner = |ui: &mut Ui| {
        header(ui);
        let scroll = ScrollArea::vertical().id_salt(format!("{panel:?}")).auto_shrink(false);
        scroll.show(ui, content).inner
    };
    if narrow {
        let height = 0.42 * ui.available_height();
        Panel::bottom("side-below").default_size(height).resizable(true).show(ui, inner).inner
    } else {
        Panel::right("side").default_size(WIDTH).resizable(true).show(ui, inner).inner
    }
}
