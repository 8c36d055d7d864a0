//! File systems that tell nothing of what other machines change.

use std::path::Path;

/// The kind of network file system a path lies on, if it does.
#[cfg(target_os = "linux")]
pub(super) fn network_file_system(path: &Path) -> Option<&'static str> {
    // Magic numbers of statfs(2).
    match u64::try_from(rustix::fs::statfs(path).ok()?.f_type).ok()? {
        0x6969 => Some("NFS"),
        0x517B | 0xFF53_4D42 | 0xFE53_4D42 => Some("SMB"),
        0x0102_1997 => Some("9P"),
        0x6573_5546 => Some("FUSE"),
        _ => None,
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn network_file_system(_path: &Path) -> Option<&'static str> {
    None
}
