//! Files of the run of a scene.

use wayfare::Log;
use wayfare_record::output::Format;

use crate::session::dimension::Dimension;
use crate::session::export::{Export, Exported, export};
use crate::session::scene::RunningScene;
use crate::session::traits::Exporting;

impl<V: Dimension> Exporting for RunningScene<V> {
    fn export(&self, format: &'static Format) -> Result<(Box<dyn Export>, String), String> {
        let log = Log::of(self.log.commands().map(|(tick, command)| (tick, command.clone())));
        let (name, title) = (&self.draft.source().name, &self.title);
        let (setup, presentation) = (&self.setup, self.draft.scene().presentation());
        export(format, Exported { name, title, setup, presentation, log }, &self.crowd)
    }
}
