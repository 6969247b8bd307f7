//! What holds for every behavior of the list, whatever its parameters, and for every valid setup.

mod choices;
mod setups;
mod symmetry;
