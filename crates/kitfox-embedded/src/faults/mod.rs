//! What is left of an index when disks fail and processes are killed.

mod disk;
mod flips;
mod histories;
mod model;
mod random;
