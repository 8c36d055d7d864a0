//! The checksum of the commit. tantivy's files carry one each, its `meta.json` does not.
//!
//! ```text
//! sealed := content "checksum " (the BLAKE3 of content, in hexadecimal){64} "\n"
//! ```

const LABEL: &[u8] = b"checksum ";
const LENGTH: usize = LABEL.len() + 64 + 1;

/// Adds the checksum.
pub(super) fn seal(content: &[u8]) -> Vec<u8> {
    let mut sealed = content.to_vec();
    sealed.extend(trailer(content));
    sealed
}

/// Takes the checksum off; nothing where it is wrong.
pub(super) fn unseal(mut sealed: Vec<u8>) -> Option<Vec<u8>> {
    let end = sealed.len().checked_sub(LENGTH)?;
    let (content, found) = sealed.split_at(end);
    let is_whole = found == trailer(content);
    sealed.truncate(end);
    is_whole.then_some(sealed)
}

fn trailer(content: &[u8]) -> Vec<u8> {
    [LABEL, blake3::hash(content).to_hex().as_bytes(), b"\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_changed_or_cut_breaks_the_seal() {
        let sealed = seal(b"{}\n");
        assert_eq!(unseal(sealed.clone()).as_deref(), Some(&b"{}\n"[..]));
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 0x20;
            assert_eq!(unseal(changed), None, "byte {at}");
            assert_eq!(unseal(sealed[..at].to_vec()), None, "cut to {at}");
        }
    }
}
