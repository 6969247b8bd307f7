//! x
/// x
#[derive(Debug)]
pub struct Picture;
