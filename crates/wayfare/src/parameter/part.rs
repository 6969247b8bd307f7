//! Values of types that only higher modules know.

use alloc::sync::Arc;
use core::any::{Any, type_name};
use core::fmt::{self, Debug};

/// A value of a type that only higher modules know, such as the positions of a group.
#[derive(Clone)]
pub struct Part(Arc<dyn AnyPart>);

trait AnyPart: Any + Send + Sync {
    fn equals(&self, other: &dyn AnyPart) -> bool;
    fn type_name(&self) -> &'static str;
}

impl<T: Any + PartialEq + Send + Sync> AnyPart for T {
    fn equals(&self, other: &dyn AnyPart) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<T>() == Some(self)
    }
    fn type_name(&self) -> &'static str {
        type_name::<T>()
    }
}

impl Part {
    /// This value.
    pub fn new<T: Any + PartialEq + Send + Sync>(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// The value, if it is of this type.
    pub fn get<T: Any>(&self) -> Option<&T> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref()
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

/// Writes the type alone: to write the value, every program would hold the names of all fields.
impl Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.type_name())
    }
}
