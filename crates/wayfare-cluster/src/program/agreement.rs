//! The agreement of all ranks on their input before they start: files may differ between machines.

use std::fmt::{self, Debug, Write};
use std::hash::{DefaultHasher, Hasher};

use super::Failure;
use crate::link::Link;

/// The content of the file `name` as this rank has read it, if all ranks have read the same.
///
/// # Errors
/// A rank could not read it, or has read something else; all ranks have the same error.
pub(super) fn agree<T: Debug>(
    link: &mut impl Link,
    name: &str,
    read: Result<T, Failure>,
) -> Result<T, Failure> {
    let mut message = vec![0];
    match &read {
        Ok(value) => message.extend(fingerprint(value).to_le_bytes()),
        Err(failure) => {
            message[0] = failure.code;
            message.extend(failure.text.as_bytes());
        }
    }
    let all = link.all_gather(&message).map_err(Failure::system)?;
    let code = |message: &[u8]| message.first().copied().unwrap_or_default();
    if let Some(rank) = all.iter().position(|message| code(message) > 0) {
        let text = String::from_utf8_lossy(&all[rank][1..]);
        let text = if rank == 0 { text.into_owned() } else { format!("rank {rank}: {text}") };
        return Err(Failure { code: code(&all[rank]), text, is_known: true });
    }
    if let Some(rank) = all.iter().position(|message| *message != all[0]) {
        return Err(Failure::input(format!(
            "error: {name} on rank {rank} differs from that on rank 0\nallowed: the same file for \
             all ranks"
        )));
    }
    read
}

/// A hash of all that a value prints for debugging.
fn fingerprint(value: &impl Debug) -> u64 {
    struct Hash(DefaultHasher);
    impl Write for Hash {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    let mut hash = Hash(DefaultHasher::new());
    // Writing to a hash cannot fail; a value that refuses to print has the hash of what it has
    // printed.
    let _ = write!(hash, "{value:?}");
    hash.0.finish()
}
