//! Pictures and recordings of a running scene.

use wayfare::Crowd;
use wayfare_scene::Log;

use crate::session::dimension::Dimension;
use crate::session::export::{self, Export, Recording};
use crate::session::scene::RunningScene;
use crate::session::traits::Exporting;

impl<V: Dimension> Exporting for RunningScene<V> {
    fn picture(&self) -> Result<Vec<u8>, String> {
        export::picture(&self.title, self.setup.bounds, &self.crowd)
    }

    fn export(&self, recording: Recording) -> Result<(Box<dyn Export>, String), String> {
        let crowd = Crowd::new(self.setup.clone()).map_err(|e| e.to_string())?;
        let log = Log::of(self.log.commands().map(|(tick, command)| (tick, command.clone())));
        let bounds = self.setup.bounds;
        export::record(recording, &self.title, bounds, crowd, log, self.crowd.tick())
    }
}
