#![no_main]

#[path = "../src/properties.rs"]
#[allow(dead_code)] // Each target holds one of the properties.
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::snapshot(bytes));
