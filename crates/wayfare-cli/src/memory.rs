//! How much memory there is to take.

/// Taken as free where the system does not say (bytes).
const CEILING: u64 = 16 << 30;

/// How many bytes this process can still take: what is free, and what it may have.
pub(crate) fn free() -> u64 {
    let free = number_after("/proc/meminfo", "MemAvailable:")
        .map_or(CEILING, |kibibytes| kibibytes.saturating_mul(1024));
    // The first of its two numbers is the one that holds; "unlimited" is none.
    let limit = number_after("/proc/self/limits", "Max address space").unwrap_or(u64::MAX);
    free.min(limit)
}

/// The number behind `name` in one of Linux' files of names and numbers.
fn number_after(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
