//! The RAM that this process can still take.

/// The assumed RAM where the system does not report it (bytes).
const ASSUMED: u64 = 16 << 30;

/// The bytes that this process can still take: the free RAM, and at most its limit of address
/// space.
pub(crate) fn available() -> u64 {
    let free = number_after("/proc/meminfo", "MemAvailable:")
        .map_or(ASSUMED, |kibibytes| kibibytes.saturating_mul(1024));
    free.min(address_space_limit().unwrap_or(u64::MAX))
}

/// The limit of address space (bytes; `ulimit -v`), if there is one.
fn address_space_limit() -> Option<u64> {
    // The first of two numbers is the soft limit; "unlimited" is no number.
    number_after("/proc/self/limits", "Max address space")
}

/// The address space that this process can still take (bytes); none without a limit.
pub(crate) fn free_address_space() -> Option<u64> {
    let used = number_after("/proc/self/status", "VmSize:").unwrap_or(0).saturating_mul(1024);
    Some(address_space_limit()?.saturating_sub(used))
}

/// The number after `name` in one of Linux's files of names and numbers.
fn number_after(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
