//! How a score came about.

use std::fmt;

use crate::Legs;

/// How a passage got its score: what is added up, then the factors of the sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reasons {
    /// Words and meaning.
    pub legs: Legs,
    /// Added: the query says the whole name of the file.
    pub file_name: f32,
    /// Added: the query gives the path of the file.
    pub file_path: f32,
    /// Added: the passage defines a name in the query.
    pub defines: f32,
    /// Factor: what files like this one are for is rarely meant.
    pub aside: f32,
    /// Factor: how much of the file was found besides.
    pub coherence: f32,
    /// Factor: better passages of the file come before.
    pub further: f32,
}

impl From<Legs> for Reasons {
    /// Words and meaning alone.
    fn from(legs: Legs) -> Reasons {
        Reasons {
            legs,
            file_name: 0.0,
            file_path: 0.0,
            defines: 0.0,
            aside: 1.0,
            coherence: 1.0,
            further: 1.0,
        }
    }
}

impl Reasons {
    /// What all of it comes to.
    pub fn score(&self) -> f32 {
        let added = self.file_name + self.file_path + self.defines;
        (self.legs.total() + added) * self.aside * self.coherence * self.further
    }
}

impl fmt::Display for Reasons {
    /// `(words 0.200 + meaning 0.610 + file name 0.200) × coherence 1.070`: every part that counts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let added = [
            ("words", self.legs.words),
            ("meaning", self.legs.meaning),
            ("file name", self.file_name),
            ("file path", self.file_path),
            ("definition", self.defines),
        ];
        let factors = [
            ("aside", self.aside),
            ("coherence", self.coherence),
            ("further passage", self.further),
        ];
        let told = |(name, value): &(&str, f32)| format!("{name} {value:.3}");
        let added: Vec<String> = added.iter().filter(|(_, sum)| *sum != 0.0).map(told).collect();
        write!(f, "({})", added.join(" + "))?;
        let mut factors = factors.iter().filter(|(_, factor)| *factor != 1.0);
        factors.try_for_each(|factor| write!(f, " × {}", told(factor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_the_parts_that_count() {
        let legs = Legs { words: 0.2, meaning: 0.5 };
        assert_eq!(Reasons::from(legs).to_string(), "(words 0.200 + meaning 0.500)");
        let reasons = Reasons { defines: 0.3, aside: 0.5, further: 0.8, ..legs.into() };
        let told = "(words 0.200 + meaning 0.500 + definition 0.300) × aside 0.500 × further passage 0.800";
        assert_eq!(reasons.to_string(), told);
        assert!((reasons.score() - 0.4).abs() < 1e-6);
    }
}
