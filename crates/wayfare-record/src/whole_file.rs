//! Files that appear whole or not at all: written under a temporary name and renamed.
//!
//! The temporary file is in the same folder, so that the rename stays within one file system and is
//! atomic. An interrupted process (a signal, a power cut) can leave the temporary file behind,
//! never a half-written file under the requested name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::RecordError;
use crate::destination::Destination;

/// Writes `bytes` to the file at `path`, whole or not at all; see [`WholeFile`].
///
/// # Errors
/// The cause, with the path. An existing file is unchanged.
pub fn write_whole(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), RecordError> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes).map_err(|source| file.failure(source))?;
    file.commit()
}

/// The real path of a file that is written to `path`: two paths are the same file if their real
/// paths are equal, whether it exists or not.
///
/// Symbolic links are followed, also those to files that do not exist.
pub fn resolved_path(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // Linux follows at most 40 links in a row.
    for _ in 0..40 {
        if let Ok(real) = fs::canonicalize(&path) {
            return real;
        }
        let folder =
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => {
                let folder = fs::canonicalize(folder).ok();
                return folder
                    .zip(path.file_name())
                    .map_or(path.clone(), |(folder, name)| folder.join(name));
            }
        }
    }
    path
}

/// A file that appears at its path with [`commit`](Self::commit). Dropped before, it leaves nothing
/// behind.
/// An existing file is replaced and its permissions are kept; a read-only file is refused. Symbolic
/// links are followed. A path that is not a regular file, such as `/dev/null` or a pipe, is written
/// directly.
///
/// ```
/// use std::io::Write;
/// # let folder = std::env::temp_dir().join(format!("wayfare-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("notes.txt");
/// let mut file = wayfare_record::WholeFile::create(&path)?;
/// file.write_all(b"a line\n")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"a line\n");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WholeFile {
    /// The path as it was given; errors name it.
    path: PathBuf,
    /// The real path.
    real: PathBuf,
    /// The temporary file; none after the rename, and for a path that is not a regular file.
    temporary: Option<PathBuf>,
    /// None after it was closed.
    file: Option<BufWriter<File>>,
}

impl WholeFile {
    /// Begins the file at `path`.
    ///
    /// # Errors
    /// The path names no file, its folder does not exist, or writing is not permitted. The error
    /// has the path.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref().to_path_buf();
        match Self::begin(&path) {
            Ok(file) => Ok(file),
            Err(source) => Err(RecordError::File { path, source }),
        }
    }

    fn begin(path: &Path) -> io::Result<Self> {
        // Of the path as it was given: a link to a pipe (`/dev/stdout`) has no real path.
        let existing = fs::metadata(path).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(Self {
                path: path.to_path_buf(),
                real: path.to_path_buf(),
                temporary: None,
                file: Some(BufWriter::new(file)),
            });
        }
        let real = resolved_path(path);
        if existing.as_ref().is_some_and(|existing| existing.permissions().readonly()) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        if real.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"));
        }
        let (temporary, file) = create_temporary(&real)?;
        let whole = Self {
            path: path.to_path_buf(),
            real,
            temporary: Some(temporary),
            file: Some(BufWriter::new(file)),
        };
        if let (Some(existing), Some(file)) = (existing, &whole.file) {
            file.get_ref().set_permissions(existing.permissions())?;
        }
        Ok(whole)
    }

    /// The path that was asked for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file to the disk and moves it to its path.
    ///
    /// # Errors
    /// The cause, with the path. An existing file is unchanged.
    pub fn commit(mut self) -> Result<(), RecordError> {
        self.close().map_err(|source| self.failure(source))
    }

    fn close(&mut self) -> io::Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        if let Err(error) = file.flush() {
            // Closed without a second attempt to write the buffer.
            drop(file.into_parts());
            return Err(error);
        }
        if let Some(temporary) = &self.temporary {
            // Without this the rename could reach the disk before the bytes do.
            file.get_ref().sync_all()?;
            drop(file);
            fs::rename(temporary, &self.real)?;
            self.temporary = None;
        }
        Ok(())
    }

    fn failure(&self, source: io::Error) -> RecordError {
        // An error of `write` already names the path.
        match source.downcast::<RecordError>() {
            Ok(error) => error,
            Err(source) => RecordError::File { path: self.path.clone(), source },
        }
    }

    fn named(&self, source: io::Error) -> io::Error {
        // `write_all` retries after this one.
        if source.kind() == io::ErrorKind::Interrupted {
            source
        } else {
            io::Error::new(source.kind(), self.failure(source))
        }
    }
}

/// Errors name the path.
impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.as_mut().map_or(Ok(0), |file| file.write(bytes));
        written.map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.as_mut().map_or(Ok(()), Write::flush);
        flushed.map_err(|error| self.named(error))
    }
}

/// The temporary file is the one that a library may write itself.
impl Destination for WholeFile {
    fn file(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }

    fn named(&self, source: io::Error) -> io::Error {
        Self::named(self, source)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            drop(file.into_parts());
        }
        if let Some(temporary) = &self.temporary {
            // The error has no receiver.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// A new file in the folder of `real`, under an unused name. The name is short, as the requested
/// name may have the maximum length.
fn create_temporary(real: &Path) -> io::Result<(PathBuf, File)> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary =
            real.with_file_name(format!(".wayfare-{}-{number}.part", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            // Left by a killed process with the same id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A temporary folder of one test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("wayfare-record-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }
        fn names(&self) -> Vec<String> {
            let mut names: Vec<_> = fs::read_dir(&self.0)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_committed_file_has_all_its_bytes_and_leaves_no_other_file() {
        let folder = Folder::new("whole");
        let bytes = vec![b'x'; 300_000];
        write_whole(folder.0.join("a.csv"), &bytes).unwrap();
        write_whole(folder.0.join("a.csv"), &bytes[1..]).unwrap();
        assert_eq!(fs::read(folder.0.join("a.csv")).unwrap(), bytes[1..]);
        assert_eq!(folder.names(), ["a.csv"]);
    }

    #[test]
    fn a_dropped_file_leaves_nothing_and_the_old_file_unchanged() {
        let folder = Folder::new("dropped");
        fs::write(folder.0.join("a.csv"), "old").unwrap();
        for name in ["a.csv", "b.csv"] {
            let mut file = WholeFile::create(folder.0.join(name)).unwrap();
            file.write_all(&[0; 100_000]).unwrap();
            assert_eq!(folder.names().len(), 2);
        }
        assert_eq!(folder.names(), ["a.csv"]);
        assert_eq!(fs::read(folder.0.join("a.csv")).unwrap(), b"old");
    }

    #[test]
    fn a_rename_that_fails_leaves_nothing_and_names_the_path() {
        let folder = Folder::new("rename");
        let path = folder.0.join("a.csv");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        // A folder was created at the path in the meantime; a file cannot replace it.
        fs::create_dir(&path).unwrap();
        let error = file.commit().unwrap_err();
        assert!(
            error.to_string().starts_with(&format!("cannot write {}: ", path.display())),
            "{error}"
        );
        assert_eq!(folder.names(), ["a.csv"]);
    }

    #[test]
    fn a_path_that_cannot_be_written_is_named_with_its_cause() {
        let folder = Folder::new("cause");
        let missing = folder.0.join("nowhere").join("a.csv");
        let error = write_whole(&missing, b"").unwrap_err();
        assert!(
            matches!(
                &error,
                RecordError::File { path, source }
                    if *path == missing && source.kind() == io::ErrorKind::NotFound
            ),
            "{error}"
        );
        assert!(error.to_string().contains("nowhere"), "{error}");
        let error = write_whole(&folder.0, b"").unwrap_err();
        assert!(
            matches!(
                &error,
                RecordError::File { source, .. } if source.kind() == io::ErrorKind::IsADirectory
            ),
            "{error}"
        );
        for unnamed in ["", "..", "new/"] {
            let error = write_whole(folder.0.join("nowhere").join(unnamed), b"").unwrap_err();
            assert!(error.to_string().starts_with("cannot write"), "{error}");
        }
        assert!(write_whole("", b"").is_err());
        assert!(folder.names().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_are_kept_and_a_read_only_file_is_refused() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("modes");
        let (real, link) = (folder.0.join("real.csv"), folder.0.join("link.csv"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        let (ahead, further) = (folder.0.join("ahead.csv"), folder.0.join("further.csv"));
        symlink("further.csv", &ahead).unwrap();
        write_whole(&ahead, b"new").unwrap();
        assert!(
            fs::symlink_metadata(&ahead).unwrap().is_symlink()
                && fs::read(&further).unwrap() == b"new"
        );
        assert_eq!(
            (resolved_path(&ahead), resolved_path(&folder.0.join("./no.csv"))),
            (resolved_path(&further), resolved_path(&folder.0.join("no.csv")))
        );
        fs::remove_file(ahead).and_then(|()| fs::remove_file(further)).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&real, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(write_whole(&real, b"newer").is_err());
        assert_eq!((fs::read(&real).unwrap(), folder.names().len()), (b"new".to_vec(), 2));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_directly_and_its_errors_name_it() {
        write_whole("/dev/null", b"gone").unwrap();
        let error = write_whole("/dev/full", &[0; 100_000]).unwrap_err();
        assert!(
            error.to_string().starts_with("cannot write /dev/full: ")
                && error.to_string().matches("/dev/full").count() == 1,
            "{error}"
        );
        let mut full = WholeFile::create("/dev/full").unwrap();
        full.write_all(b"little").unwrap();
        assert!(full.flush().unwrap_err().to_string().contains("/dev/full"));
    }
}
