//! The data for the drawing of a running scene.

use wayfare::crowd::Pose;
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::Vec2;
use wayfare::{AgentId, GroupId};
use wayfare_scene::Presentation;

use crate::session::dimension::Dimension;
use crate::session::explanation::ForceDiagram;
use crate::session::scene::RunningScene;
use crate::session::trails::Trails;
use crate::session::traits::{AgentPose, AnyCrowd, CrowdView, DrawingData};

/// Number of agents and obstacles with a landmark.
const LANDMARKS: usize = 4;

impl<V: Dimension> DrawingData for RunningScene<V> {
    fn crowd(&self) -> AnyCrowd<'_> {
        V::any_crowd(CrowdView { crowd: &self.crowd, bounds: self.setup.bounds.as_ref() })
    }

    fn presentation(&self) -> &Presentation {
        self.draft.scene().presentation()
    }

    fn bullet_group(&self) -> Option<GroupId> {
        self.bullets()
    }

    fn poses(&self, smooth: bool, see: &mut dyn FnMut(AgentPose)) {
        let part = if smooth { self.clock.part(&self.crowd) } else { 1.0 };
        let bullets = self.bullets();
        for Pose { id: _, position, facing, radius, group } in
            self.rows_by_id.iter().filter_map(|&row| self.crowd.pose(row, part))
        {
            // Bullets keep their size, so that they do not look like agents.
            let has_size = bullets == Some(group) || radius > 0.0;
            let dart = if has_size { radius } else { self.visible_radius };
            let (position, heading) = (self.seen(position), self.seen(facing));
            see(AgentPose { position, heading, radius, dart, group });
        }
    }

    fn positions(&self, see: &mut dyn FnMut(Vec2)) {
        self.crowd.agents().for_each(|(_, agent)| see(self.seen(agent.position)));
    }

    fn trails(&self) -> &Trails {
        &self.trails
    }

    fn explain(&mut self, ids: &[AgentId]) -> Vec<ForceDiagram> {
        let crowd = &mut self.crowd;
        let explained = ids.iter().filter_map(|&id| {
            let explanation = crowd.explain(id)?;
            Some(ForceDiagram::new(&crowd.get(id)?.agent, &explanation, crowd.up()))
        });
        let explained = explained.collect();
        if !ids.is_empty() {
            // An explanation can sort the agents again.
            self.crowd.rows_by_id(&mut self.rows_by_id);
        }
        explained
    }

    fn first_ids(&self, count: usize) -> Vec<AgentId> {
        let id = |row: &u32| Some(self.crowd.agent_at_row(*row)?.id);
        self.rows_by_id.iter().take(count).filter_map(id).collect()
    }

    fn position_of(&self, id: AgentId) -> Option<Vec2> {
        self.crowd.get(id).map(|member| self.seen(member.agent.position))
    }

    fn next_agent(&self, after: Option<AgentId>) -> Option<AgentId> {
        let ids =
            || self.rows_by_id.iter().filter_map(|&row| Some(self.crowd.agent_at_row(row)?.id));
        let next = after.and_then(|after| ids().find(|&id| id > after));
        next.or_else(|| ids().next())
    }

    fn landmarks(&self) -> Vec<(String, Vec2)> {
        let agents = self
            .first_ids(LANDMARKS)
            .into_iter()
            .filter_map(|id| Some((format!("agent:{id}"), self.position_of(id)?)));
        let middle = |shape: &Shape<V>| {
            let (low, high) = shape.extent(self.crowd.up());
            self.seen((low + high) * 0.5)
        };
        let obstacles = self
            .crowd
            .obstacles()
            .iter()
            .take(LANDMARKS)
            .enumerate()
            .map(|(i, obstacle)| (format!("obstacle:{i}"), middle(obstacle.shape())));
        agents.chain(obstacles).collect()
    }
}
