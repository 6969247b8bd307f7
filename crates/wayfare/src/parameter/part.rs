//! Values of types that only higher modules know.

use alloc::sync::Arc;
use core::any::Any;
use core::fmt::{self, Debug};

/// A value of a type that only higher modules know, such as the positions of a group.
#[derive(Clone)]
pub struct Part(Arc<dyn AnyPart>);

trait AnyPart: Any + Debug + Send + Sync {
    fn equals(&self, other: &dyn AnyPart) -> bool;
}

impl<T: Any + Debug + PartialEq + Send + Sync> AnyPart for T {
    fn equals(&self, other: &dyn AnyPart) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<T>() == Some(self)
    }
}

impl Part {
    /// This value.
    pub fn new<T: Any + Debug + PartialEq + Send + Sync>(value: T) -> Self {
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

impl Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
