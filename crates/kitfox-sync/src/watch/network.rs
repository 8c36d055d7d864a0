//! File systems that tell nothing of what other machines change.

use std::path::Path;

/// The kind of network file system a path lies on, if it does.
#[cfg(target_os = "linux")]
pub(super) fn network_file_system(path: &Path) -> Option<&'static str> {
    // Magic numbers of statfs(2).
    match rustix::fs::statfs(path).ok()?.f_type as u64 & 0xFFFF_FFFF {
        0x6969 => Some("NFS"),
        0x517B | 0xFF53_4D42 | 0xFE53_4D42 => Some("SMB"),
        0x0102_1997 => Some("9P"),
        0x6573_5546 => Some("FUSE"),
        0x5346_414F | 0x6B41_4653 => Some("AFS"),
        0x00C3_6400 => Some("Ceph"),
        0x0BD0_0BD0 => Some("Lustre"),
        0x0116_1970 => Some("GFS2"),
        0x786F_4256 => Some("a shared folder of VirtualBox"),
        0xBACB_ACBC => Some("a shared folder of VMware"),
        _ => None,
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn network_file_system(_path: &Path) -> Option<&'static str> {
    None
}
