//! Filters on records, against a plain evaluation of the JSON and sentence by sentence.

mod errors;
mod pairs;
mod plain;
mod random;
mod sentences;
