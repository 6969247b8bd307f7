//! The tests of the measures in crowds: one program, since each would compile the
//! generic code of the library again.

mod crowds;
mod docs;
mod order_free;
