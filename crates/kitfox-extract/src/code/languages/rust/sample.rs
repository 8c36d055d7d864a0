//! A store of values in memory.

use std::collections::HashMap;

/// How many values fit.
pub const CAPACITY: usize = 1024;
static NAMES: &[&str] = &["open", "closed"];

/// Keeps values.
#[derive(Debug, Default)]
pub struct Store<V> {
    /// What is kept.
    values: HashMap<String, V>,
    pub limit: usize,
}

pub enum State {
    Open,
    Closed { at: u64 },
}

/// What every store can do.
pub trait Keyed {
    type Key;

    fn get(&self, key: &Self::Key) -> Option<&str>;
}

impl<V> Store<V> {
    /// Finds a value.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&V> {
        const LOCAL: usize = 1;
        fn normalized(key: &str) -> &str {
            key.trim()
        }
        self.values.get(normalized(key))
    }
}

impl<V> Keyed for &Store<V> {
    type Key = String;

    fn get(&self, key: &String) -> Option<&str> {
        None
    }
}

type Listener<V> = Box<dyn Fn(&V)>;

union Value {
    small: u8,
    large: u64,
}

/** Counts what is kept. */
macro_rules! count {
    ($store:expr) => {
        $store.values.len()
    };
}

extern "C" {
    fn store_open(path: *const u8) -> i32;
}

mod tests {
    use super::*;

    #[tokio::test]
    #[ignore]
    async fn values_are_found() {
        assert!(Store::<u8>::default().get("a").is_none());
    }
}
