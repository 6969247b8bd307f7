//! Reports as their readers see them.
