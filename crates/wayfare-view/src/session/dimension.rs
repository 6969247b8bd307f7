//! The plane and space: where code generic over the dimension meets code that is not.

use wayfare::Vector;
use wayfare::glam::{Vec2, Vec3};
use wayfare_scene::{AnyScene, Scene};

use crate::session::traits::{AnyCrowd, CrowdView};

/// The plane or space.
pub(crate) trait Dimension: Vector {
    /// The scene, if it has this dimension.
    fn scene(any: &AnyScene) -> Option<&Scene<Self>>;
    fn any_crowd(view: CrowdView<'_, Self>) -> AnyCrowd<'_>;
}

impl Dimension for Vec2 {
    fn scene(any: &AnyScene) -> Option<&Scene<Self>> {
        if let AnyScene::TwoD(scene) = any { Some(scene) } else { None }
    }
    fn any_crowd(view: CrowdView<'_, Self>) -> AnyCrowd<'_> {
        AnyCrowd::TwoD(view)
    }
}

impl Dimension for Vec3 {
    fn scene(any: &AnyScene) -> Option<&Scene<Self>> {
        if let AnyScene::ThreeD(scene) = any { Some(scene) } else { None }
    }
    fn any_crowd(view: CrowdView<'_, Self>) -> AnyCrowd<'_> {
        AnyCrowd::ThreeD(view)
    }
}
